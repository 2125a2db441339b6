/** The whole model in a link: JSON, compressed, as base64 for addresses, behind `#m=`. */
import { type DeviceType, fieldsOf, isType } from "./devices/kinds";
import { MOST } from "./shared";
import { type Device, type Link, type Force, type Motor, type Point, type Sketch, type Slider, type Slot, type Spring, type Torque } from "./sketch";

/** What a link holds: a sketch, or a description that was edited by hand. */
export interface Shared {
  readonly sketch: Sketch | null;
  readonly text: string | null;
  /** Points of the text whose paths are shown in runs. */
  readonly traced: readonly string[];
  readonly seconds: number;
}

/** Bytes that a link may hold once unpacked, so that a small one does not fill the memory. */
const LARGEST = 1 << 20;

export async function packed(shared: Shared): Promise<string> {
  const stream = new Blob([JSON.stringify({ version: 1, ...shared })]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return "#m=" + btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** What a fragment holds; null if it is none of ours, an Error with a sentence if it is damaged. */
export async function unpacked(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith("#m=")) return null;
  let content: unknown;
  try {
    const binary = atob(fragment.slice(3).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    content = JSON.parse(await limited(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))));
  } catch {
    throw new Error("The link is damaged or too large: perhaps not all of it was copied.");
  }
  if (!isRecord(content) || content["version"] !== 1) throw new Error("The link was made by another version of Grashof.");
  const { sketch, text, traced, seconds } = content;
  return { sketch: sketch === null ? null : readSketch(sketch), text: text === null ? null : string(text), traced: Array.isArray(traced) ? traced.slice(0, MOST).map(string) : wrong(), seconds: Math.min(1e6, Math.max(1e-6, number(seconds))) };
}

async function limited(stream: ReadableStream<Uint8Array>): Promise<string> {
  const blocks: BlobPart[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(blocks).text();
    size += value.length;
    if (size > LARGEST) throw new Error("too large");
    blocks.push(value as BlobPart);
  }
}

/** A sketch from a link, which may hold anything: only what the types say is taken. */
export function readSketch(found: unknown): Sketch {
  const sketch = record(found);
  const points = list(sketch["points"], (point): Point => ({ name: string(point["name"]), x: number(point["x"]), y: number(point["y"]), ground: point["ground"] === true, traced: point["traced"] === true }));
  const names = new Set(points.map((point) => point.name));
  const known = (name: unknown) => (names.has(string(name)) ? string(name) : wrong());
  const links = list(sketch["links"], (link): Link => {
    const corners = Array.isArray(link["points"]) ? link["points"].map(known) : wrong();
    return { name: string(link["name"]), points: corners.length < 2 ? wrong() : corners, mass: number(link["mass"]) };
  });
  const owners = new Set(links.map((link) => link.name));
  const owner = (name: unknown) => (owners.has(string(name)) ? string(name) : wrong());
  // older links do not have all lists
  const extra = <T>(value: unknown, read: (item: Record<string, unknown>) => T) => list(value ?? [], read);
  return {
    name: string(sketch["name"]),
    gravity: number(sketch["gravity"]),
    points,
    links,
    sliders: list(sketch["sliders"], (slider): Slider => ({ point: known(slider["point"]), angle: number(slider["angle"]) })),
    springs: list(sketch["springs"], (spring): Spring => ({ name: string(spring["name"]), a: known(spring["a"]), b: known(spring["b"]), stiffness: number(spring["stiffness"]), damping: number(spring["damping"]) })),
    slots: extra(sketch["slots"], (slot): Slot => ({ name: string(slot["name"]), guide: slot["guide"] === null ? null : owner(slot["guide"]), rider: owner(slot["rider"]), point: known(slot["point"]), from: slot["from"] === null ? null : known(slot["from"]), to: slot["to"] === null ? null : known(slot["to"]), angle: number(slot["angle"]), keeps: slot["keeps"] === true })),
    forces: extra(sketch["forces"], (force): Force => ({ name: string(force["name"]), point: known(force["point"]), x: number(force["x"]), y: number(force["y"]) })),
    torques: extra(sketch["torques"], (torque): Torque => ({ name: string(torque["name"]), link: owner(torque["link"]), torque: number(torque["torque"]) })),
    motors: list(sketch["motors"], (motor): Motor => ({ link: owner(motor["link"]), speed: number(motor["speed"]), ...(motor["law"] === undefined ? {} : { law: string(motor["law"]) }) })),
    devices: extra(sketch["devices"], (device): Device => ({ name: string(device["name"]), type: kind(device["type"]), links: several(device["links"], owner), points: several(device["points"], known), values: valuesOf(device) })),
  };
}

const kind = (found: unknown): DeviceType => (typeof found === "string" && isType(found) ? found : wrong());
const several = (found: unknown, read: (name: unknown) => string): readonly string[] => (Array.isArray(found) && found.length <= 3 ? found.map(read) : wrong());

/** The values of a device: those that its kind has, and nothing else. */
function valuesOf(device: Record<string, unknown>): Device["values"] {
  const found = record(device["values"]);
  const outline = { name: "", type: kind(device["type"]), links: several(device["links"], string), points: several(device["points"], string), values: {} };
  return Object.fromEntries(fieldsOf(outline).map(({ key, unit, optional }) => {
    const value = found[key];
    const text = unit === "law" || unit === "list" || unit === "choice" || (optional && value === "");
    return [key, unit === "flag" ? value === true : text ? string(value) : number(value)];
  }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : wrong());
const string = (value: unknown): string => (typeof value === "string" && value.length <= LARGEST ? value : wrong());
const number = (value: unknown): number => (typeof value === "number" && Math.abs(value) <= 1e9 ? value : wrong());

function list<T>(value: unknown, read: (item: Record<string, unknown>) => T): readonly T[] {
  return Array.isArray(value) && value.length <= MOST ? value.map((item) => read(record(item))) : wrong();
}

function wrong(): never {
  throw new Error("The link holds no mechanism that could be drawn.");
}
