/** What is selected, by number: lengths, angles, coordinates, masses and speeds, typed with units. */
import { h } from "../../dom";
import type { Bench } from "./bench";
import { fieldsOf as fieldsOfDevice } from "./devices/kinds";
import { changed, withSpeed } from "./edits";
import { Drag } from "./kinematics/drag";
import { Linkage } from "./kinematics/linkage";
import { resized } from "./kinematics/resize";
import { withValue } from "./patch";
import { type Link, type Motor, type Part, type Point, type Force, type Slider, type Spring, type Torque, linksAt, moved, pointOf, withChanged } from "./sketch";
import { type Kind, fromUnits, inUnits } from "./units";

export function selection(bench: Bench): HTMLElement {
  const place = h("form", { class: "selection", "aria-label": "Selected part", submit: (event: Event) => event.preventDefault() });
  let drawn = "";
  const draw = () => {
    const { selected } = bench.state;
    const fields = selected === null || !bench.page.current || bench.state.traces !== null ? [] : fieldsOf(bench, selected);
    const title = selected === null ? "" : `${selected.kind === "link" || selected.kind === "spring" || selected.kind === "device" ? "" : `${selected.kind} `}${selected.name}`;
    const outline = JSON.stringify([title, ...fields.map((field) => field.label)]);
    place.hidden = fields.length === 0;
    if (outline !== drawn) place.replaceChildren(h("strong", {}, title), ...fields.map((field) => input(bench, field)));
    else place.querySelectorAll<HTMLInputElement>("input").forEach((box, k) => {
      if (box !== document.activeElement) box.value = shown(fields[k]!);
    });
    drawn = outline;
  };
  bench.listen((state, before) => {
    if (state.history !== before.history || state.selected !== before.selected || state.pose !== before.pose || state.draft !== before.draft || state.traces !== before.traces) draw();
  });
  draw();
  return place;
}

interface Field {
  readonly label: string;
  readonly kind: Kind;
  readonly value: number;
  /** Takes over a new value; a sentence if that cannot be. */
  readonly change: (value: number) => string | void;
}

/** One whose value is a text. */
interface TextField {
  readonly label: string;
  readonly kind: "text";
  readonly value: string;
  readonly change: (value: string) => string | void;
}

type AnyField = Field | TextField;

const shown = (field: AnyField): string => (field.kind === "text" ? field.value : inUnits(field.kind, field.value));

function input(bench: Bench, field: AnyField): HTMLElement {
  const box = h("input", { "aria-label": field.label, change: () => {
    // what is selected may have changed since the field was made
    const now = fieldsOf(bench, bench.state.selected!).find((found) => found.label === field.label);
    const value = now === undefined || now.kind === "text" ? null : fromUnits(now.kind, box.value, now.value);
    const remark = now === undefined ? "" : now.kind === "text" ? now.change(box.value) : value === null || value === undefined ? `${field.label}: ${box.value} is no number with a unit, such as ${inUnits(now.kind, now.value)}.` : now.change(value);
    if (typeof remark === "string" && remark !== "") bench.set({ remark });
    const after = bench.state.selected && fieldsOf(bench, bench.state.selected).find((found) => found.label === field.label);
    if (after) box.value = shown(after);
  } });
  box.value = shown(field);
  return h("label", {}, `${field.label} `, box);
}

function fieldsOf(bench: Bench, part: Part): readonly AnyField[] {
  const sketch = bench.shown;
  const own = bench.page.sketch;
  const change = <P extends Point | Link | Slider | Spring | Motor | Force | Torque>(of: Part, more: Partial<P>) => bench.commit(withChanged(own, of, (found: P) => ({ ...found, ...more })));
  if (part.kind === "point") {
    const point = pointOf(sketch, part.name);
    const drawn = pointOf(own, part.name);
    return point ? [{ label: "x", kind: "length", value: point.x, change: (x) => bench.commit(moved(own, [part.name], x - drawn.x, 0)) }, { label: "y", kind: "length", value: point.y, change: (y) => bench.commit(moved(own, [part.name], 0, y - drawn.y)) }] : [];
  }
  if (part.kind === "force") {
    const force = sketch.forces.find((found) => found.name === part.name);
    return force ? [{ label: "x", kind: "force", value: force.x, change: (x) => change<Force>(part, { x }) }, { label: "y", kind: "force", value: force.y, change: (y) => change<Force>(part, { y }) }] : [];
  }
  if (part.kind === "torque") {
    const torque = sketch.torques.find((found) => found.name === part.name);
    return torque ? [{ label: "torque", kind: "torque", value: torque.torque, change: (value) => change<Torque>(part, { torque: value }) }] : [];
  }
  if (part.kind === "spring") {
    const spring = sketch.springs.find((found) => found.name === part.name);
    return spring ? [{ label: "stiffness", kind: "stiffness", value: spring.stiffness, change: (stiffness) => change<Spring>(part, { stiffness }) }, { label: "damping", kind: "damping", value: spring.damping, change: (damping) => change<Spring>(part, { damping }) }] : [];
  }
  if (part.kind === "device") return deviceFields(bench, part);
  const link = sketch.links.find((found) => found.name === part.name);
  if (link === undefined) return [];
  const [a, b] = [pointOf(sketch, link.points[0]!), pointOf(sketch, link.points[1]!)];
  const found: AnyField[] = [{ label: "mass", kind: "mass", value: link.mass, change: (mass) => (mass >= 0 ? change<Link>(part, { mass }) : "A mass cannot be negative.") }];
  if (link.points.length === 2 || link.own?.type === "bar") found.unshift({ label: "length", kind: "length", value: Math.hypot(b.x - a.x, b.y - a.y), change: (length) => lengthen(bench, link, length) });
  const pivot = link.points.find((name) => pointOf(own, name).ground);
  const tip = link.points.find((name) => name !== pivot && !pointOf(own, name).ground);
  if (pivot !== undefined && tip !== undefined) {
    const [from, to] = [pointOf(sketch, pivot), pointOf(sketch, tip)];
    found.splice(1, 0, { label: `angle ${pivot} ${tip}`, kind: "angle", value: Math.atan2(to.y - from.y, to.x - from.x), change: (angle) => turn(bench, pivot, tip, angle) });
  }
  const motor = sketch.motors.find((one) => one.link === link.name);
  if (motor && (motor.law !== undefined || !motor.own?.law)) found.push({ label: "motor speed", kind: "text", value: speedText(motor), change: (text) => withSpeed(bench, motor, text) });
  return found;
}

/** The speed of a motor: a number with its unit, or an expression of t in rad/s. */
export const speedText = (motor: Motor): string => motor.law ?? inUnits("speed", motor.speed);

/** Fields of a device; flags and choices are edited in the list of parts. */
function deviceFields(bench: Bench, part: Part): readonly AnyField[] {
  const device = bench.page.sketch.devices.find((found) => found.name === part.name);
  if (device === undefined) return [];
  return fieldsOfDevice(device).flatMap((field): readonly AnyField[] => {
    const { key, label, unit } = field;
    const value = device.values[key];
    if (unit === "flag" || value === undefined) return [];
    const take = (text: string | number) => changed(bench, device, field, text);
    if (unit === "law" || unit === "list" || unit === "choice" || value === "") return [{ label, kind: "text", value: String(value), change: take }];
    return [{ label, kind: unit, value: Number(value), change: take }];
  });
}

/** Gives a bar another length; all other lengths stay. */
function lengthen(bench: Bench, link: Link, length: number): string | void {
  if (!(length > 0)) return "A length must be positive.";
  // the description of a linkage says its lengths; the server closes the loops again
  if (bench.page.text !== null && link.own?.type === "bar") return bench.edit(withValue(bench.page.text, ["bodies", { name: link.name }, "length"], String(length)));
  const after = resized(bench.page.sketch, link.name, length);
  if (after === null) return `The loops cannot be closed with ${link.name} of ${inUnits("length", length)}.`;
  bench.commit(after);
}

/** Turns a link that is pinned to the ground to an angle, as far as the linkage allows. */
function turn(bench: Bench, pivot: string, tip: string, angle: number): string | void {
  const [from, to] = [pointOf(bench.shown, pivot), pointOf(bench.shown, tip)];
  const arm = Math.hypot(to.x - from.x, to.y - from.y);
  const now = Math.atan2(to.y - from.y, to.x - from.x);
  const drag = Drag.begin(new Linkage(bench.page.sketch, bench.state.pose), tip, null, to.x, to.y);
  if (typeof drag === "string") return drag;
  const way = Math.atan2(Math.sin(angle - now), Math.cos(angle - now));
  let stop = null;
  for (let k = 1; k <= 12 && stop === null; k++) stop = drag.to(from.x + arm * Math.cos(now + (way * k) / 12), from.y + arm * Math.sin(now + (way * k) / 12));
  bench.set({ tool: "move", pose: drag.linkage.posed(drag.q), stop });
  bench.rest();
  return stop === null ? "" : stop.sentence;
}

/** Lengths that are written on the drawing: of the selected link, or of all bars. */
export function dimensions(bench: Bench): readonly { readonly x: number; readonly y: number; readonly text: string }[] {
  const { selected, dimensioned } = bench.state;
  const sketch = bench.shown;
  const wanted = sketch.links.filter((link) => dimensioned || (selected?.kind === "link" && selected.name === link.name));
  return wanted.flatMap((link) => {
    const corners = link.points.map((name) => pointOf(sketch, name));
    const pairs = corners.length === 2 ? [[corners[0]!, corners[1]!] as const] : corners.length === 3 ? corners.map((one, k) => [one, corners[(k + 1) % 3]!] as const) : [];
    // a corner that lies on its bar, such as a pin, needs no side of its own
    return pairs.filter(([a, b]) => linksAt(sketch, a.name).length > 0 && (a.x !== b.x || a.y !== b.y)).map(([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, text: inUnits("length", Number(Math.hypot(b.x - a.x, b.y - a.y).toPrecision(5))) }));
  });
}
