/** A linkage as it is drawn: points, and what connects them. Sketches never change; every function gives a new one. */

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
  /** What a description calls it, and whether the speed follows from a law there. */
  readonly own?: { readonly name: string; readonly law: boolean };
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
  /** Joints of the description from which the sketch was made; none of a sketch that was drawn. */
  readonly pins?: readonly Pin[];
  /** Joints and couplings of the description that the sketch does not have, without which nobody knows how it moves. */
  readonly beyond?: readonly string[];
  /** What else of the description the sketch does not have, without which nobody knows how it runs. */
  readonly unknown?: readonly string[];
}

/** A part of a sketch. */
export interface Part {
  readonly kind: "point" | "link" | "slider" | "spring" | "motor";
  /** Of the point, link or spring; sliders are called as their point, motors as their link. */
  readonly name: string;
}

export const EMPTY: Sketch = { name: "linkage", gravity: 9.81, points: [], links: [], sliders: [], springs: [], motors: [] };

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
  const renamed = (name: string) => (name === gone ? kept : name);
  const [one, other] = [pointOf(sketch, kept), pointOf(sketch, gone)];
  const ground = one.ground || other.ground;
  return {
    ...sketch,
    points: sketch.points.filter((point) => point.name !== gone).map((point) => (point.name === kept ? { ...point, ground, traced: one.traced || other.traced } : point)),
    links: sketch.links.map((link) => ({ ...link, points: link.points.map(renamed), ...(link.own && gone in link.own.labels ? { own: { ...link.own, labels: { ...link.own.labels, [kept]: link.own.labels[gone]! } } } : {}) })),
    ...(sketch.pins ? { pins: sketch.pins.map((pin) => ({ ...pin, point: renamed(pin.point) })) } : {}),
    sliders: ground ? sketch.sliders.filter((slider) => slider.point !== kept && slider.point !== gone) : unique(sketch.sliders.map((slider) => ({ ...slider, point: renamed(slider.point) }))),
    springs: sketch.springs.map((spring) => ({ ...spring, a: renamed(spring.a), b: renamed(spring.b) })).filter((spring) => spring.a !== spring.b),
  };
}

/** Without a part, and without what cannot be without it. */
export function without(sketch: Sketch, part: Part): Sketch {
  const { kind, name } = part;
  if (kind === "slider") return { ...sketch, sliders: sketch.sliders.filter((slider) => slider.point !== name) };
  if (kind === "spring") return { ...sketch, springs: sketch.springs.filter((spring) => spring.name !== name) };
  if (kind === "motor") return { ...sketch, motors: sketch.motors.filter((motor) => motor.link !== name) };
  if (kind === "link") {
    const gone = sketch.links.find((link) => link.name === name);
    const rest: Sketch = { ...sketch, links: sketch.links.filter((link) => link.name !== name), motors: sketch.motors.filter((motor) => motor.link !== name) };
    // its points go with it, unless something else needs them
    const lonely = (gone?.points ?? []).filter((point) => !pointOf(rest, point).ground && linksAt(rest, point).length === 0 && !rest.springs.some((spring) => spring.a === point || spring.b === point));
    return lonely.reduce((found, point) => without(found, { kind: "point", name: point }), rest);
  }
  const links = sketch.links.map((link) => ({ ...link, points: link.points.filter((point) => point !== name) }));
  const broken = links.filter((link) => link.points.length < 2).map((link) => link.name);
  return {
    ...sketch,
    points: sketch.points.filter((point) => point.name !== name),
    links: links.filter((link) => link.points.length >= 2),
    sliders: sketch.sliders.filter((slider) => slider.point !== name),
    springs: sketch.springs.filter((spring) => spring.a !== name && spring.b !== name),
    motors: sketch.motors.filter((motor) => !broken.includes(motor.link)),
  };
}

/** A part changed, its name apart. */
export function withChanged<P extends Point | Link | Slider | Spring | Motor>(sketch: Sketch, part: Part, change: (found: P) => P): Sketch {
  const changed = <T>(list: readonly T[], is: (item: T) => boolean) => list.map((item) => (is(item) ? (change(item as unknown as P) as unknown as T) : item));
  switch (part.kind) {
    case "point": return { ...sketch, points: changed(sketch.points, (point) => point.name === part.name) };
    case "link": return { ...sketch, links: changed(sketch.links, (link) => link.name === part.name) };
    case "slider": return { ...sketch, sliders: changed(sketch.sliders, (slider) => slider.point === part.name) };
    case "spring": return { ...sketch, springs: changed(sketch.springs, (spring) => spring.name === part.name) };
    case "motor": return { ...sketch, motors: changed(sketch.motors, (motor) => motor.link === part.name) };
  }
}

/** A point, link or spring under another name, wherever it is mentioned; the sketch as it was if the name is empty or taken, or if a description mentions it. */
export function renamed(sketch: Sketch, part: Part, name: string): Sketch {
  const list: readonly { readonly name: string }[] = part.kind === "point" ? sketch.points : part.kind === "link" ? sketch.links : sketch.springs;
  if (sketch.pins !== undefined || name === "" || name === part.name || list.some((item) => item.name === name)) return sketch;
  const to = (old: string) => (old === part.name ? name : old);
  const relabelled = <T extends { readonly name: string }>(items: readonly T[]) => items.map((item) => ({ ...item, name: to(item.name) }));
  if (part.kind === "link") return { ...sketch, links: relabelled(sketch.links), motors: sketch.motors.map((motor) => ({ ...motor, link: to(motor.link) })) };
  if (part.kind === "spring") return { ...sketch, springs: relabelled(sketch.springs) };
  return {
    ...sketch,
    points: relabelled(sketch.points),
    links: sketch.links.map((link) => ({ ...link, points: link.points.map(to) })),
    sliders: sketch.sliders.map((slider) => ({ ...slider, point: to(slider.point) })),
    springs: sketch.springs.map((spring) => ({ ...spring, a: to(spring.a), b: to(spring.b) })),
  };
}

/** The first name of a series that nothing in the list has. */
function free(list: readonly { readonly name: string }[], series: (k: number) => string): string {
  for (let k = 0; ; k++) if (!list.some((item) => item.name === series(k))) return series(k);
}

function unique(sliders: readonly Slider[]): readonly Slider[] {
  return sliders.filter((slider, index) => sliders.findIndex((other) => other.point === slider.point) === index);
}
