/** A sketch as a description of the mechanism in Grashof's file format. */
import { type Link, type Point, type Sketch, linksAt, pointOf } from "./sketch";

/** Numbers with twelve digits: lengths that are equal in the drawing are equal in the file. */
const number = (x: number): string => String(Number(x.toPrecision(12)) || 0);

const pair = (x: number, y: number): string => `[${number(x)}, ${number(y)}]`;

/** A text of TOML; JSON escapes the same characters, but for one. */
const text = (value: string): string => JSON.stringify(value).replace(/\x7f/g, "\\u007f");

const key = (value: string): string => (/^[A-Za-z0-9_-]+$/.test(value) ? value : text(value));

export function toml(sketch: Sketch): string {
  const lines = ['format = "grashof 1"', `name = ${text(sketch.name)}`, ...(sketch.gravity === 0 ? [] : [`gravity = ${pair(0, -sketch.gravity)}`])];
  const fixed = sketch.points.filter((point) => point.ground || slides(sketch, point));
  if (fixed.length > 0) lines.push("", "[ground]", ...fixed.map((point) => `${key(point.name)} = ${pair(point.x, point.y)}`));
  for (const link of sketch.links) lines.push("", ...body(sketch, link));
  for (const point of sketch.points) lines.push(...joints(sketch, point));
  for (const spring of sketch.springs) {
    const [a, b] = [reference(sketch, spring.a), reference(sketch, spring.b)];
    if (a === null || b === null) continue;
    const [one, other] = [pointOf(sketch, spring.a), pointOf(sketch, spring.b)];
    const length = Math.hypot(other.x - one.x, other.y - one.y);
    lines.push("", "[[forces]]", 'type = "spring"', `name = ${text(spring.name)}`, `a = ${text(a)}`, `b = ${text(b)}`);
    if (spring.stiffness !== 0) lines.push(`stiffness = ${number(spring.stiffness)}`, `length = ${number(length)}`);
    if (spring.damping !== 0) lines.push(`damping = ${number(spring.damping)}`);
  }
  for (const motor of sketch.motors) lines.push("", "[[motors]]", `name = ${text(`motor of ${motor.link}`)}`, `target = ${text(`${motor.link}.angle`)}`, `speed = ${number(motor.speed)}`);
  if (sketch.links.length > 0) lines.push("", "[start.guesses]", ...sketch.links.map((link) => guess(sketch, link)));
  return lines.join("\n") + "\n";
}

/** The points whose paths are to be shown, as the description calls them. */
export function tracedPoints(sketch: Sketch): readonly string[] {
  return sketch.points.filter((point) => point.traced).flatMap((point) => linksAt(sketch, point.name).slice(0, 1).map((link) => on(link, point.name)));
}

/** What a person should know that the description does not say. */
export function hints(sketch: Sketch): readonly string[] {
  const lonely = sketch.points.filter((point) => !point.ground && linksAt(sketch, point.name).length === 0).map((point) => point.name);
  if (lonely.length === 0) return [];
  return [lonely.length === 1 ? `Point ${lonely[0]} belongs to no link and is left out.` : `Points ${lonely.join(", ")} belong to no link and are left out.`];
}

function slides(sketch: Sketch, point: Point): boolean {
  return sketch.sliders.some((slider) => slider.point === point.name) && linksAt(sketch, point.name).length > 0;
}

/** A point as one of a link. */
function on(link: Link, point: string): string {
  const corner = link.points.indexOf(point);
  return `${link.name}.${link.points.length === 2 ? (corner === 0 ? "start" : "end") : point}`;
}

/** A point as that of the ground or of its first link; null if it belongs to nothing. */
function reference(sketch: Sketch, name: string): string | null {
  if (pointOf(sketch, name).ground) return `ground.${name}`;
  const link = linksAt(sketch, name)[0];
  return link ? on(link, name) : null;
}

function body(sketch: Sketch, link: Link): readonly string[] {
  const corners = link.points.map((name) => pointOf(sketch, name));
  const [first, second] = [corners[0]!, corners[1]!];
  const head = ["[[bodies]]", `type = "${corners.length === 2 ? "bar" : "rigid"}"`, `name = ${text(link.name)}`];
  if (corners.length === 2) return [...head, `length = ${number(Math.hypot(second.x - first.x, second.y - first.y))}`, `mass = ${number(link.mass)}`];
  const { x, y, inertia } = spread(corners);
  const points = corners.map((corner) => `${key(corner.name)} = ${pair(corner.x - first.x, corner.y - first.y)}`);
  return [...head, `mass = ${number(link.mass)}`, `center = ${pair(x - first.x, y - first.y)}`, `inertia = ${number(link.mass * inertia)}`, `points = { ${points.join(", ")} }`];
}

function joints(sketch: Sketch, point: Point): readonly string[] {
  const links = linksAt(sketch, point.name);
  const places = [...(point.ground ? [`ground.${point.name}`] : []), ...links.map((link) => on(link, point.name))];
  const lines: string[] = [];
  for (let k = 1; k < places.length; k++) {
    const name = k === 1 ? point.name : `${point.name} ${k}`;
    lines.push("", "[[joints]]", 'type = "revolute"', `name = ${text(name)}`, `a = ${text(places[0]!)}`, `b = ${text(places[k]!)}`);
  }
  const slider = sketch.sliders.find((found) => found.point === point.name);
  if (slider && links.length > 0) {
    const turn = (slider.angle * Math.PI) / 180;
    const [x, y] = [Number(Math.cos(turn).toFixed(12)), Number(Math.sin(turn).toFixed(12))];
    lines.push("", "[[joints]]", 'type = "pin in slot"', `name = ${text(`slot ${point.name}`)}`, `a = ${text(`ground.${point.name}`)}`, `b = ${text(places[0]!)}`, `axis_a = ${pair(x, y)}`);
  }
  return lines;
}

function guess(sketch: Sketch, link: Link): string {
  const [first, second] = [pointOf(sketch, link.points[0]!), pointOf(sketch, link.points[1]!)];
  const angle = link.points.length === 2 ? `, angle = ${number(Math.atan2(second.y - first.y, second.x - first.x))}` : "";
  return `${key(link.name)} = { position = ${pair(first.x, first.y)}${angle} }`;
}

/** Centre and inertia about it, per mass, of a uniform plate over these corners: their convex hull, or a slender bar if it has no area. */
export function spread(corners: readonly { readonly x: number; readonly y: number }[]): { x: number; y: number; inertia: number } {
  const hull = hullOf(corners);
  let [area, x, y, second] = [0, 0, 0, 0];
  const { x: x0, y: y0 } = hull[0]!;
  hull.forEach((one, k) => {
    const other = hull[(k + 1) % hull.length]!;
    const [ax, ay, bx, by] = [one.x - x0, one.y - y0, other.x - x0, other.y - y0];
    const cross = ax * by - bx * ay;
    area += cross / 2;
    x += ((ax + bx) * cross) / 6;
    y += ((ay + by) * cross) / 6;
    second += ((ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) * cross) / 12;
  });
  const [one, other] = farthest(corners);
  const length = Math.hypot(other.x - one.x, other.y - one.y);
  if (area <= 1e-9 * length * length) return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, inertia: (length * length) / 12 };
  [x, y] = [x / area, y / area];
  return { x: x0 + x, y: y0 + y, inertia: second / area - x * x - y * y };
}

/** Counter-clockwise, by Andrew's monotone chain (1979). */
export function hullOf<P extends { readonly x: number; readonly y: number }>(corners: readonly P[]): readonly P[] {
  const sorted = [...corners].sort((one, other) => one.x - other.x || one.y - other.y);
  const half = (order: readonly P[]) => {
    const chain: P[] = [];
    for (const c of order) {
      for (;;) {
        const [a, b] = [chain[chain.length - 2], chain[chain.length - 1]];
        if (!a || !b || (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(c);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half([...sorted].reverse())];
  return hull.length > 0 ? hull : sorted.slice(0, 1);
}

function farthest<P extends { readonly x: number; readonly y: number }>(corners: readonly P[]): readonly [P, P] {
  const pairs = corners.flatMap((one, k) => corners.slice(k + 1).map((other) => [one, other] as const));
  return pairs.reduce((best, found) => (Math.hypot(found[1].x - found[0].x, found[1].y - found[0].y) > Math.hypot(best[1].x - best[0].x, best[1].y - best[0].y) ? found : best));
}
