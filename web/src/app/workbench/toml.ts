/** A sketch as tables of Grashof's file format, and as a text. */
import { kindOf } from "./devices/kinds";
import { spread } from "./hull";
import { key, quoted } from "./patch";
import { frame, law, nameOn, number, pair, reference } from "./references";
import { type Force, type Link, type Motor, type Point, type Sketch, type Slider, type Slot, directionOf, linksAt, pointOf } from "./sketch";

/** Keys and their values as TOML writes them; a table inside has keys of its own. */
export type Fields = ReadonlyMap<string, string | ReadonlyMap<string, string>>;

export type ListName = "bodies" | "measures" | "joints" | "forces" | "motors" | "couplings";

/** What a sketch says, as tables. */
export interface Tables {
  readonly top: ReadonlyMap<string, string>;
  readonly ground: ReadonlyMap<string, string>;
  readonly lists: Readonly<Record<ListName, ReadonlyMap<string, Fields>>>;
  readonly guesses: ReadonlyMap<string, Fields>;
}

export function tables(sketch: Sketch): Tables {
  const slots = sketch.sliders.flatMap((slider) => slot(sketch, slider));
  const devices = sketch.devices.flatMap((device) => kindOf(device).tables(sketch, device));
  const of = (list: ListName) => new Map(devices.filter(([found]) => found === list).map(([, name, fields]) => [name, fields] as const));
  const fixed = sketch.points.filter((point) => point.ground);
  return {
    top: new Map([["name", quoted(sketch.name)], ...(sketch.gravity === 0 ? [] : [["gravity", pair(0, -sketch.gravity)] as const])]),
    ground: new Map([...fixed.map((point) => [point.name, pair(point.x, point.y)] as const), ...slots.flatMap(({ base }) => (base ? [base] : []))]),
    lists: {
      bodies: new Map(sketch.links.map((link) => [link.name, body(sketch, link)])),
      measures: of("measures"),
      joints: new Map([...pinned(sketch), ...slots.map(({ name, fields }) => [name, fields] as const), ...sketch.slots.flatMap((found) => guided(sketch, found))]),
      forces: new Map([...sketch.springs.flatMap((spring) => force(sketch, spring)), ...sketch.forces.flatMap((found) => pushed(sketch, found)), ...sketch.torques.map((found) => [found.name, new Map([["type", quoted("torque")], ["angle", quoted(`${found.link}.angle`)], ["torque", number(found.torque)]])] as const), ...of("forces")]),
      motors: new Map<string, Fields>([...sketch.motors.map((motor) => [motorName(motor), new Map([["target", quoted(`${motor.link}.angle`)], ...(motor.law !== undefined ? [["speed", law(motor.law)] as const] : motor.own?.law ? [] : [["speed", number(motor.speed)] as const])])] as const), ...of("motors")]),
      couplings: of("couplings"),
    },
    guesses: new Map(sketch.links.map((link) => [link.name, guess(sketch, link)])),
  };
}

/** What the description calls a motor. */
export const motorName = (motor: Motor): string => motor.own?.name ?? `motor of ${motor.link}`;

/** A sketch as a whole description. */
export function toml(sketch: Sketch): string {
  const { top, ground, lists, guesses } = tables(sketch);
  const lines = ['format = "grashof 1"', ...written(top)];
  if (ground.size > 0) lines.push("", "[ground]", ...written(ground));
  for (const [list, items] of Object.entries(lists)) for (const [name, fields] of items) lines.push("", `[[${list}]]`, ...itemLines(name, fields));
  if (guesses.size > 0) lines.push("", "[start.guesses]", ...[...guesses].map(([name, fields]) => `${key(name)} = ${inline(fields)}`));
  return lines.join("\n") + "\n";
}

/** The lines of a table in a list, its type and name first. */
export function itemLines(name: string, fields: Fields): readonly string[] {
  const type = fields.get("type");
  return [...(typeof type === "string" ? [`type = ${type}`] : []), `name = ${quoted(name)}`, ...written(new Map([...fields].filter(([field]) => field !== "type")))];
}

const written = (fields: Fields): readonly string[] => [...fields].map(([name, value]) => `${key(name)} = ${typeof value === "string" ? value : inline(value)}`);

export const inline = (fields: Fields): string => `{ ${written(fields).join(", ")} }`;

/** The points whose paths are to be shown, as the description calls them. */
export function tracedPoints(sketch: Sketch): readonly string[] {
  return sketch.points.filter((point) => point.traced).flatMap((point) => linksAt(sketch, point.name).slice(0, 1).map((link) => nameOn(link, point.name)));
}

/** The sketch with points traced that a description calls by these names. */
export function withTraced(sketch: Sketch, names: readonly string[]): Sketch {
  const traced = (point: Point) => linksAt(sketch, point.name).some((link) => names.includes(nameOn(link, point.name)));
  return { ...sketch, points: sketch.points.map((point) => ({ ...point, traced: traced(point) })) };
}

/** Points that the description does not have. */
export function hints(sketch: Sketch): readonly string[] {
  const lonely = sketch.points.filter((point) => !point.ground && linksAt(sketch, point.name).length === 0).map((point) => point.name);
  if (lonely.length === 0) return [];
  return [lonely.length === 1 ? `Point ${lonely[0]} belongs to no link and is left out.` : `Points ${lonely.join(", ")} belong to no link and are left out.`];
}

function body(sketch: Sketch, link: Link): Fields {
  const corners = link.points.map((name) => pointOf(sketch, name));
  const [first, second] = [corners[0]!, corners[1]!];
  const length = ["length", number(Math.hypot(second.x - first.x, second.y - first.y))] as const;
  const mass = ["mass", number(link.mass)] as const;
  if (link.own !== undefined) {
    const { x, y, angle } = frame(sketch, link);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const local = (corner: Point) => [rounded(cos * (corner.x - x) + sin * (corner.y - y)), rounded(cos * (corner.y - y) - sin * (corner.x - x))] as const;
    const others = corners.filter((_, k) => link.own!.type === "rigid" || k > 1);
    const points = new Map(others.map((corner) => [link.own!.labels[corner.name] ?? corner.name, pair(...local(corner))]));
    return new Map<string, string | ReadonlyMap<string, string>>([["type", quoted(link.own.type)], mass, ...(link.own.type === "bar" ? [length] : []), ...(points.size > 0 ? [["points", points] as const] : [])]);
  }
  if (corners.length === 2) return new Map([["type", quoted("bar")], length, mass]);
  const { x, y, inertia } = spread(corners);
  const points = new Map(corners.map((corner) => [corner.name, pair(corner.x - first.x, corner.y - first.y)]));
  return new Map<string, string | ReadonlyMap<string, string>>([["type", quoted("rigid")], mass, ["center", pair(x - first.x, y - first.y)], ["inertia", number(link.mass * inertia)], ["points", points]]);
}

const rounded = (x: number): number => Math.round(x * 1e7) / 1e7 || 0;

/** Joints that pin links together: those of the description first, then as many as it takes. */
function pinned(sketch: Sketch): readonly (readonly [string, Fields])[] {
  const found = new Map<string, Fields>();
  for (const point of sketch.points) {
    const links = linksAt(sketch, point.name);
    const places = [...(point.ground ? [{ link: null, text: `ground.${point.name}` }] : []), ...links.map((link) => ({ link: link.name as string | null, text: nameOn(link, point.name) }))];
    const group = new Map(places.map(({ link }) => [link, link]));
    const at = (link: string | null) => places.find((place) => place.link === link);
    const join = (name: string, a: string | null, b: string | null) => {
      found.set(name, new Map([["type", quoted("revolute")], ["a", quoted(at(a)!.text)], ["b", quoted(at(b)!.text)]]));
      const [kept, gone] = [group.get(a)!, group.get(b)!];
      for (const [link, of] of group) if (of === gone) group.set(link, kept);
    };
    for (const pin of sketch.pins ?? []) if (pin.point === point.name && at(pin.a) && at(pin.b)) join(pin.name, pin.a, pin.b);
    const taken = new Set((sketch.pins ?? []).map((pin) => pin.name));
    for (let k = 1; k < places.length; k++) {
      if (group.get(places[k]!.link) === group.get(places[0]!.link)) continue;
      let [name, count] = [k === 1 ? point.name : `${point.name} ${k}`, k];
      while (found.has(name) || taken.has(name)) name = `${point.name} ${++count}`;
      join(name, places[0]!.link, places[k]!.link);
    }
  }
  return [...found];
}

/** The joint of a slider, and the point of the ground that its line goes through. */
function slot(sketch: Sketch, slider: Slider): readonly { readonly name: string; readonly fields: Fields; readonly base: readonly [string, string] | null }[] {
  const point = pointOf(sketch, slider.point);
  const links = linksAt(sketch, slider.point);
  const { own } = slider;
  const link = links.find((candidate) => candidate.name === own?.link) ?? links[0];
  if (link === undefined) return [];
  const turn = (slider.angle * Math.PI) / 180;
  const [x, y] = [Number(Math.cos(turn).toFixed(12)), Number(Math.sin(turn).toFixed(12))];
  const stays = own !== undefined && Math.abs(x * (point.y - own.y) - y * (point.x - own.x)) < 2e-6;
  const base = stays ? own.ground : own === undefined ? slider.point : `slot ${slider.point}`;
  const fields = new Map([["type", quoted("pin in slot")], ["a", quoted(`ground.${base}`)], ["b", quoted(nameOn(link, slider.point))], ["axis_a", pair(x, y)]]);
  return [{ name: own?.name ?? `slot ${slider.point}`, fields, base: stays ? null : [base, pair(point.x, point.y)] }];
}

function force(sketch: Sketch, spring: Sketch["springs"][number]): readonly (readonly [string, Fields])[] {
  const [a, b] = [reference(sketch, spring.a), reference(sketch, spring.b)];
  if (a === null || b === null) return [];
  const [one, other] = [pointOf(sketch, spring.a), pointOf(sketch, spring.b)];
  const length = spring.length ?? Math.hypot(other.x - one.x, other.y - one.y);
  const elastic = spring.stiffness !== 0 ? ([["stiffness", number(spring.stiffness)], ["length", number(length)]] as const) : [];
  const damped = spring.damping !== 0 ? ([["damping", number(spring.damping)]] as const) : [];
  return [[spring.name, new Map([["type", quoted("spring")], ["a", quoted(a)], ["b", quoted(b)], ...elastic, ...damped])]];
}

/** A joint of a slot, unless a description has it already, which then keeps it as it was written. */
function guided(sketch: Sketch, found: Slot): readonly (readonly [string, Fields])[] {
  const of = (name: string) => sketch.links.find((link) => link.name === name)!;
  if (found.own !== undefined || found.guide === null || found.from === null) return [[found.name, new Map()]];
  const guide = of(found.guide);
  const turn = (directionOf(sketch, found) * Math.PI) / 180;
  const turned = (link: Link) => {
    const angle = turn - frame(sketch, link).angle;
    return pair(Number(Math.cos(angle).toFixed(12)), Number(Math.sin(angle).toFixed(12)));
  };
  const axes: [string, string][] = [["axis_a", turned(guide)]];
  if (found.keeps) axes.push(["axis_b", turned(of(found.rider))]);
  return [[found.name, new Map<string, string>([["type", quoted(found.keeps ? "slider" : "pin in slot")], ["a", quoted(nameOn(guide, found.from))], ["b", quoted(nameOn(of(found.rider), found.point))], ...axes])]];
}

function pushed(sketch: Sketch, found: Force): readonly (readonly [string, Fields])[] {
  const point = reference(sketch, found.point);
  return point === null ? [] : [[found.name, new Map([["type", quoted("force")], ["point", quoted(point)], ["force", pair(found.x, found.y)]])]];
}

function guess(sketch: Sketch, link: Link): Fields {
  const { x, y, angle } = frame(sketch, link);
  const turned = link.own !== undefined || link.points.length === 2;
  return new Map([["position", pair(x, y)], ...(turned ? [["angle", number(angle)] as const] : [])]);
}
