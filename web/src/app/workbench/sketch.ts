/** A linkage as it is drawn: points, and what connects them. Sketches never change; every function gives a new one. */
import type { DeviceType } from "./devices/kinds";

/** A place in the plane, m. A point that belongs to several links pins them together. */
export interface Point {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  /** Pinned to the ground. */
  readonly ground: boolean;
  /** Its path is shown in runs. */
  readonly traced: boolean;
}

/** A bar (two points) or a plate, by the names of its points. */
export interface Link {
  readonly name: string;
  readonly points: readonly string[];
  /** kg */
  readonly mass: number;
  /** Of a link that a description has: what it calls the points, where its axes are, and where the points are in these, exactly. */
  readonly own?: { readonly type: "bar" | "rigid"; readonly labels: Readonly<Record<string, string>>; readonly x: number; readonly y: number; readonly angle: number; readonly shape?: Readonly<Record<string, readonly [number, number]>>; readonly center?: readonly [number, number]; readonly inertia?: number };
}

/** A joint of a description that pins two links together at a point; null is the ground. */
export interface Pin {
  readonly name: string;
  readonly point: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** A point that stays on a line of the ground, through where it is drawn; the angle of the line in degrees. */
export interface Slider {
  readonly point: string;
  readonly angle: number;
  /** What a description calls the joint, the point of the ground that the line goes through, and where that is. */
  readonly own?: { readonly name: string; readonly ground: string; readonly link: string; readonly x: number; readonly y: number };
}

/** A point of a link, the rider, that stays on a line of another link, the guide, or of the ground (null). */
export interface Slot {
  readonly name: string;
  readonly guide: string | null;
  readonly rider: string;
  readonly point: string;
  /** Points of the guide: the line goes through the first, and the second if there is one. */
  readonly from: string | null;
  readonly to: string | null;
  /** The direction of the line as drawn, °, where no second point gives it. */
  readonly angle: number;
  /** The rider does not turn against the guide. */
  readonly keeps: boolean;
  /** Of a joint that a description has: the direction in the axes of the guide, and by how much those of the rider are turned against them. */
  readonly own?: { readonly axis: readonly [number, number]; readonly turn: number };
}

/** A constant force at a point, N, in the axes of the ground. */
export interface Force {
  readonly name: string;
  readonly point: string;
  readonly x: number;
  readonly y: number;
}

/** A constant torque on a link, N m. */
export interface Torque {
  readonly name: string;
  readonly link: string;
  readonly torque: number;
}

/** A spring, a damper or both between two points: N/m and N s/m. It is relaxed as it is drawn, unless it has a length, m. */
export interface Spring {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  readonly stiffness: number;
  readonly damping: number;
  readonly length?: number;
}

/** Turns a link at a speed, rad/s. */
export interface Motor {
  readonly link: string;
  readonly speed: number;
  /** Its speed as an expression of t, where it is not constant; `speed` is then the one at the beginning. */
  readonly law?: string;
  /** What a description calls it, and whether the speed follows from a law there. */
  readonly own?: { readonly name: string; readonly law: boolean };
}

export type Values = Readonly<Record<string, number | string | boolean>>;

/** A gear pair, a belt, a rack, a cam, a cylinder, a stop, a rope or friction: what relates links and points that are there. */
export interface Device {
  readonly name: string;
  readonly type: DeviceType;
  readonly links: readonly string[];
  readonly points: readonly string[];
  readonly values: Values;
  /** Of one that a description has: what it calls what belongs to it, such as its measure. */
  readonly own?: Readonly<Record<string, string>>;
}

export interface Sketch {
  readonly name: string;
  /** m/s², downwards */
  readonly gravity: number;
  readonly points: readonly Point[];
  readonly links: readonly Link[];
  readonly sliders: readonly Slider[];
  readonly springs: readonly Spring[];
  readonly motors: readonly Motor[];
  readonly slots: readonly Slot[];
  readonly forces: readonly Force[];
  readonly torques: readonly Torque[];
  readonly devices: readonly Device[];
  /** Joints of the description from which the sketch was made; none of a sketch that was drawn. */
  readonly pins?: readonly Pin[];
  /** Joints and couplings of the description that the sketch does not have, without which nobody knows how it moves. */
  readonly beyond?: readonly string[];
  /** What else of the description the sketch does not have, without which nobody knows how it runs. */
  readonly unknown?: readonly string[];
}

/** A part of a sketch. */
export interface Part {
  readonly kind: keyof typeof LISTS;
  /** Of the part itself; sliders are called as their point, motors as their link. */
  readonly name: string;
}

export const EMPTY: Sketch = { name: "linkage", gravity: 9.81, points: [], links: [], sliders: [], springs: [], motors: [], slots: [], forces: [], torques: [], devices: [] };

/** The list of each kind of part, and the field by which its parts are called. */
export const LISTS = {
  point: ["points", "name"],
  link: ["links", "name"],
  slider: ["sliders", "point"],
  spring: ["springs", "name"],
  motor: ["motors", "link"],
  slot: ["slots", "name"],
  force: ["forces", "name"],
  torque: ["torques", "name"],
  device: ["devices", "name"],
} as const;

type Item = Readonly<Record<string, unknown>>;

/** All parts of a kind. */
const itemsOf = (sketch: Sketch, kind: Part["kind"]): readonly Item[] => sketch[LISTS[kind][0]] as unknown as readonly Item[];

export const nameOf = (kind: Part["kind"], item: unknown): string => (item as Item)[LISTS[kind][1]] as string;

export const has = (sketch: Sketch, { kind, name }: Part): boolean => itemsOf(sketch, kind).some((item) => nameOf(kind, item) === name);

const withItems = (sketch: Sketch, kind: Part["kind"], change: (items: readonly Item[]) => readonly Item[]): Sketch => ({ ...sketch, [LISTS[kind][0]]: change(itemsOf(sketch, kind)) });

/** Coordinates are kept to a micrometre, so that equal lengths stay equal. */
export const rounded = (x: number): number => Math.round(x * 1e6) / 1e6 || 0;

export function pointOf(sketch: Sketch, name: string): Point {
  return sketch.points.find((point) => point.name === name)!;
}

export function linksAt(sketch: Sketch, point: string): readonly Link[] {
  return sketch.links.filter((link) => link.points.includes(point));
}

/** A new point: A, B, C … */
export function withPoint(sketch: Sketch, x: number, y: number, more: Partial<Point> = {}): [Sketch, string] {
  const name = free(sketch.points, (k) => String.fromCharCode(65 + (k % 26)) + (k < 26 ? "" : String(Math.floor(k / 26))));
  const point = { name, x: rounded(x), y: rounded(y), ground: false, traced: false, ...more };
  return [{ ...sketch, points: [...sketch.points, point] }, name];
}

/** A new link through points; the same point twice counts once, and fewer than two make no link. */
export function withLink(sketch: Sketch, points: readonly string[]): Sketch {
  const corners = [...new Set(points)];
  if (corners.length < 2) return sketch;
  const link = { name: free(sketch.links, (k) => `link ${k + 1}`), points: corners, mass: 1 };
  return { ...sketch, links: [...sketch.links, link] };
}

/** A new spring or damper, unless both ends are the same point. */
export function withSpring(sketch: Sketch, a: string, b: string, stiffness: number, damping: number): Sketch {
  if (a === b) return sketch;
  const name = free(sketch.springs, (k) => `${stiffness > 0 ? "spring" : "damper"} ${k + 1}`);
  return { ...sketch, springs: [...sketch.springs, { name, a, b, stiffness, damping }] };
}

/** A point of a link, at a place. */
export function withCorner(sketch: Sketch, link: string, point: string): Sketch {
  return withChanged(sketch, { kind: "link", name: link }, (found: Link) => ({ ...found, points: [...new Set([...found.points, point])] }));
}

/** A motor on a link, or none if there is one. */
export function withMotor(sketch: Sketch, link: string, speed = 2 * Math.PI): Sketch {
  const others = sketch.motors.filter((motor) => motor.link !== link);
  const motors = others.length < sketch.motors.length ? others : [...others, { link, speed: rounded(speed) }];
  return { ...sketch, motors };
}

/** A slider at a point. A point is either on a line or pinned to the ground. */
export function withSlider(sketch: Sketch, point: string, angle: number): Sketch {
  const sliders = [...sketch.sliders.filter((slider) => slider.point !== point), { point, angle: rounded(angle) }];
  return withChanged({ ...sketch, sliders }, { kind: "point", name: point }, (found: Point) => ({ ...found, ground: false }));
}

/** A point that is pinned to the ground, or no longer. */
export function withGround(sketch: Sketch, point: string, ground: boolean): Sketch {
  const changed = withChanged(sketch, { kind: "point", name: point }, (found: Point) => ({ ...found, ground }));
  return ground ? { ...changed, sliders: sketch.sliders.filter((slider) => slider.point !== point) } : changed;
}

/** Points moved by so much. */
export function moved(sketch: Sketch, names: readonly string[], dx: number, dy: number): Sketch {
  const points = sketch.points.map((point) => (names.includes(point.name) ? { ...point, x: rounded(point.x + dx), y: rounded(point.y + dy) } : point));
  const links = sketch.links.map((link) => (link.own !== undefined && link.points.every((name) => names.includes(name)) ? { ...link, own: { ...link.own, x: rounded(link.own.x + dx), y: rounded(link.own.y + dy) } } : link));
  return { ...sketch, points, links };
}

/** Two points made one, which pins their links together; nothing happens if a link has both. */
export function joined(sketch: Sketch, kept: string, gone: string): Sketch {
  if (kept === gone || sketch.links.some((link) => link.points.includes(kept) && link.points.includes(gone))) return sketch;
  const [one, other] = [pointOf(sketch, kept), pointOf(sketch, gone)];
  const ground = one.ground || other.ground;
  const found = relabelled({ ...sketch, points: sketch.points.filter((point) => point.name !== gone) }, (name) => (name === gone ? kept : name));
  return {
    ...found,
    points: found.points.map((point) => (point.name === kept ? { ...point, ground, traced: one.traced || other.traced } : point)),
    links: found.links.map((link) => (link.own && gone in link.own.labels ? { ...link, own: { ...link.own, labels: { ...link.own.labels, [kept]: link.own.labels[gone]! } } } : link)),
    sliders: ground ? found.sliders.filter((slider) => slider.point !== kept) : unique(found.sliders),
    springs: found.springs.filter((spring) => spring.a !== spring.b),
  };
}

/** Points and links under other names, wherever they are mentioned. */
function relabelled(sketch: Sketch, point: (name: string) => string, link: (name: string) => string = (name) => name): Sketch {
  const maybe = (name: string | null, to: (name: string) => string) => (name === null ? null : to(name));
  return {
    ...sketch,
    points: sketch.points.map((found) => ({ ...found, name: point(found.name) })),
    links: sketch.links.map((found) => ({ ...found, name: link(found.name), points: found.points.map(point) })),
    ...(sketch.pins ? { pins: sketch.pins.map((pin) => ({ ...pin, point: point(pin.point) })) } : {}),
    sliders: sketch.sliders.map((slider) => ({ ...slider, point: point(slider.point) })),
    springs: sketch.springs.map((spring) => ({ ...spring, a: point(spring.a), b: point(spring.b) })),
    motors: sketch.motors.map((motor) => ({ ...motor, link: link(motor.link) })),
    slots: sketch.slots.map((slot) => ({ ...slot, point: point(slot.point), from: maybe(slot.from, point), to: maybe(slot.to, point), guide: maybe(slot.guide, link), rider: link(slot.rider) })),
    forces: sketch.forces.map((force) => ({ ...force, point: point(force.point) })),
    torques: sketch.torques.map((torque) => ({ ...torque, link: link(torque.link) })),
    devices: sketch.devices.map((device) => ({ ...device, links: device.links.map(link), points: device.points.map(point) })),
  };
}

/** Without a part, and without what cannot be without it. */
export function without(sketch: Sketch, part: Part): Sketch {
  const { kind, name } = part;
  if (kind !== "link" && kind !== "point") return withItems(sketch, kind, (items) => items.filter((item) => nameOf(kind, item) !== name));
  if (kind === "link") {
    const gone = sketch.links.find((link) => link.name === name);
    const rest = supported({ ...sketch, links: sketch.links.filter((link) => link.name !== name) });
    // its points go with it, unless something else needs them
    const lonely = (gone?.points ?? []).filter((point) => !pointOf(rest, point).ground && linksAt(rest, point).length === 0 && !rest.springs.some((spring) => spring.a === point || spring.b === point) && !rest.devices.some((device) => device.points.includes(point)));
    return lonely.reduce((found, point) => without(found, { kind: "point", name: point }), rest);
  }
  const links = sketch.links.map((link) => ({ ...link, points: link.points.filter((point) => point !== name) })).filter((link) => link.points.length >= 2);
  return supported({ ...sketch, links, points: sketch.points.filter((point) => point.name !== name) });
}

/** Without what mentions points or links that are not there. */
function supported(sketch: Sketch): Sketch {
  const [points, links] = [new Set(sketch.points.map((point) => point.name)), new Map(sketch.links.map((link) => [link.name, new Set(link.points)]))];
  const on = (link: string | null, point: string | null) => point === null || (link === null ? points.has(point) : links.get(link)?.has(point) === true);
  return {
    ...sketch,
    sliders: sketch.sliders.filter((slider) => points.has(slider.point)),
    springs: sketch.springs.filter((spring) => points.has(spring.a) && points.has(spring.b)),
    motors: sketch.motors.filter((motor) => links.has(motor.link)),
    slots: sketch.slots.filter((slot) => on(slot.rider, slot.point) && on(slot.guide, slot.from) && on(slot.guide, slot.to)),
    forces: sketch.forces.filter((force) => points.has(force.point)),
    torques: sketch.torques.filter((torque) => links.has(torque.link)),
    devices: sketch.devices.filter((device) => device.links.every((link) => links.has(link)) && device.points.every((point) => points.has(point))),
  };
}

/** A part changed, its name apart. */
export function withChanged<P extends Point | Link | Slider | Spring | Motor | Slot | Force | Torque | Device>(sketch: Sketch, { kind, name }: Part, change: (found: P) => P): Sketch {
  return withItems(sketch, kind, (items) => items.map((item) => (nameOf(kind, item) === name ? (change(item as unknown as P) as unknown as Item) : item)));
}

/** A new part of a kind whose parts have names of their own. */
export function withPart(sketch: Sketch, kind: "slot" | "force" | "torque" | "device", part: object, called: string = kind): Sketch {
  const list = itemsOf(sketch, kind) as unknown as readonly { readonly name: string }[];
  return withItems(sketch, kind, (items) => [...items, { ...part, name: free(list, (k) => `${called} ${k + 1}`) }]);
}

/** A slot in a guide along its first two points, in which a point slides, which is put on that line. */
export function withSlot(sketch: Sketch, guide: string, rider: string, point: string): Sketch {
  const [from, to] = sketch.links.find((link) => link.name === guide)!.points as [string, string];
  const [a, b, p] = [pointOf(sketch, from), pointOf(sketch, to), pointOf(sketch, point)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const part = ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  return withPart(moved(sketch, [point], a.x + part * dx - p.x, a.y + part * dy - p.y), "slot", { guide, rider, point, from, to, angle: 0, keeps: false });
}

/** The direction of the line of a slot, °, in a sketch or in another position of it. */
export function directionOf(sketch: Sketch, slot: Slot, shown: Sketch = sketch): number {
  const towards = (of: Sketch, from: string, to: string) => (Math.atan2(pointOf(of, to).y - pointOf(of, from).y, pointOf(of, to).x - pointOf(of, from).x) * 180) / Math.PI;
  if (slot.from !== null && slot.to !== null) return towards(shown, slot.from, slot.to);
  const guide = sketch.links.find((link) => link.name === slot.guide);
  if (guide === undefined) return slot.angle;
  const [from, to] = [guide.points[0]!, guide.points[1]!];
  return slot.angle + towards(shown, from, to) - towards(sketch, from, to);
}

/** A part under another name, wherever it is mentioned; the sketch as it was if the name is empty or taken, or if a description mentions it. */
export function renamed(sketch: Sketch, part: Part, name: string): Sketch {
  const { kind } = part;
  if (sketch.pins !== undefined || name === "" || name === part.name || LISTS[kind][1] !== "name" || has(sketch, { kind, name })) return sketch;
  const to = (old: string) => (old === part.name ? name : old);
  if (kind === "point") return relabelled(sketch, to);
  if (kind === "link") return relabelled(sketch, (old) => old, to);
  return withItems(sketch, kind, (items) => items.map((item) => ({ ...item, name: to(item["name"] as string) })));
}

/** Points with all that lies between them: links whose points are all among them, and what is attached to these. */
export function within(sketch: Sketch, names: ReadonlySet<string>): Sketch {
  const links = sketch.links.filter((link) => link.points.every((point) => names.has(point)));
  return supported({ ...sketch, points: sketch.points.filter((point) => names.has(point.name)), links });
}

/** A sketch with a copy of another in it, under new names; also the names of the new points. */
export function withCopy(sketch: Sketch, other: Sketch, dx: number, dy: number): [Sketch, readonly string[]] {
  let found = sketch;
  const [points, links] = [new Map<string, string>(), new Map<string, string>()];
  for (const point of other.points) {
    const [next, name] = withPoint(found, point.x + dx, point.y + dy, { ground: point.ground, traced: point.traced });
    [found] = [next, points.set(point.name, name)];
  }
  for (const link of other.links) {
    found = withLink(found, link.points.map((point) => points.get(point)!));
    links.set(link.name, found.links[found.links.length - 1]!.name);
    found = withChanged(found, { kind: "link", name: links.get(link.name)! }, (made: Link) => ({ ...made, mass: link.mass }));
  }
  const copy = relabelled(other, (name) => points.get(name)!, (name) => links.get(name)!);
  for (const { own: _, ...slider } of copy.sliders) found = { ...found, sliders: [...found.sliders, slider] };
  for (const { own: _, ...motor } of copy.motors) found = { ...found, motors: [...found.motors, motor] };
  for (const spring of copy.springs) found = withSpring(found, spring.a, spring.b, spring.stiffness, spring.damping);
  for (const kind of ["slot", "force", "torque", "device"] as const) for (const { own: _, ...part } of itemsOf(copy, kind)) found = withPart(found, kind, part, String(part["type"] ?? kind));
  return [found, [...points.values()]];
}

/** Points mirrored at the vertical line through their middle, with all that lies between them; not for descriptions, whose shapes have axes of their own. */
export function mirrored(sketch: Sketch, names: ReadonlySet<string>, flipped: (device: Device) => Values): Sketch {
  if (sketch.pins !== undefined) return sketch;
  const xs = sketch.points.filter((point) => names.has(point.name)).map((point) => point.x);
  const sum = Math.min(...xs) + Math.max(...xs);
  const inner = within(sketch, names);
  const inside = (kind: Part["kind"], item: unknown) => has(inner, { kind, name: nameOf(kind, item) });
  return {
    ...sketch,
    points: sketch.points.map((point) => (names.has(point.name) ? { ...point, x: rounded(sum - point.x) } : point)),
    sliders: sketch.sliders.map((slider) => (names.has(slider.point) ? { ...slider, angle: rounded((180 - slider.angle) % 180) } : slider)),
    slots: sketch.slots.map((slot) => (inside("slot", slot) ? { ...slot, angle: 180 - slot.angle } : slot)),
    motors: sketch.motors.map((motor) => (inside("motor", motor) ? { ...motor, speed: -motor.speed, ...(motor.law === undefined ? {} : { law: `-(${motor.law})` }) } : motor)),
    forces: sketch.forces.map((force) => (inside("force", force) ? { ...force, x: -force.x } : force)),
    torques: sketch.torques.map((torque) => (inside("torque", torque) ? { ...torque, torque: -torque.torque } : torque)),
    devices: sketch.devices.map((device) => (inside("device", device) ? { ...device, values: flipped(device) } : device)),
  };
}

/** The first name of a series that nothing in the list has. */
function free(list: readonly { readonly name: string }[], series: (k: number) => string): string {
  for (let k = 0; ; k++) if (!list.some((item) => item.name === series(k))) return series(k);
}

function unique(sliders: readonly Slider[]): readonly Slider[] {
  return sliders.filter((slider, index) => sliders.findIndex((other) => other.point === slider.point) === index);
}
