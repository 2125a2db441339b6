/**
 * The equations of a sketch: what its links, pins and sliders demand of the places of its points.
 *
 * Unknown are the coordinates of the points that belong to a link and are not fixed. A link keeps the distance of two of its
 * points, and every other point of it is a linear function of these two. All equations are in metres.
 */
import { kindOf } from "../devices/kinds";
import { farthest } from "../hull";
import { type Link, type Point, type Sketch, type Slot, directionOf } from "../sketch";
import { Corner, Distance, type Equation, Line, type Owner, Parallel, Slide, Turn } from "./equations";
import type { Rows } from "./rows";

/** A place of a link that is held: a + α(b − a) + β J(b − a). */
export interface Grip {
  readonly a: string;
  readonly b: string;
  readonly along: number;
  readonly across: number;
}

export class Linkage {
  /** Names of the points that belong to a link, in the order of their coordinates. */
  readonly points: readonly string[];
  /** Of each coordinate: its number among the unknowns, or −1 if it is fixed. */
  readonly unknown: Int32Array;
  readonly unknowns: number;
  /** All coordinates where it begins: x and y of each point. */
  readonly start: Float64Array;
  /** All coordinates as drawn. */
  readonly drawn: Float64Array;
  /** The size of a typical link, m. */
  readonly size: number;
  /** Of each link: its two points that are farthest apart, and its shape in axes of its own. */
  readonly bases: ReadonlyMap<string, Base>;
  readonly equations: readonly Equation[];
  readonly count: number;
  private readonly number: ReadonlyMap<string, number>;

  /**
   * @param pose    where the linkage is to begin, if not where it is drawn; lengths are always those of the drawing
   * @param lengths other lengths of bars
   * @param driven  whether motors turn their links; by hand, they are off
   */
  constructor(
    readonly sketch: Sketch,
    pose: Sketch | null = null,
    lengths: ReadonlyMap<string, number> = new Map(),
    driven = false,
  ) {
    const fixed = sketch.devices.flatMap((device) => device.points).filter((name) => sketch.points.some((point) => point.name === name && point.ground));
    const used = new Set([...sketch.links.flatMap((link) => link.points), ...fixed]);
    const points = sketch.points.filter((point) => used.has(point.name));
    this.points = points.map((point) => point.name);
    this.number = new Map(points.map((point, k) => [point.name, 2 * k]));
    const begin = new Map(pose?.points.map((point) => [point.name, point]));
    this.start = Float64Array.from(points.map((point) => begin.get(point.name) ?? point).flatMap(({ x, y }) => [x, y]));
    this.drawn = Float64Array.from(points.flatMap(({ x, y }) => [x, y]));
    let free = 0;
    this.unknown = Int32Array.from(points.flatMap(({ ground }) => (ground ? [-1, -1] : [free++, free++])));
    this.unknowns = free;
    const at = new Map(points.map((point) => [point.name, point]));
    const links = sketch.links.flatMap((link) => this.rigid(link, link.points.map((name) => at.get(name)!), lengths.get(link.name)));
    const lines = sketch.sliders.filter((slider) => used.has(slider.point) && !at.get(slider.point)!.ground).map((slider) => {
      const turn = (slider.angle * Math.PI) / 180;
      const { x, y } = at.get(slider.point)!;
      return new Line(slider.point, this.number.get(slider.point)!, [-Math.sin(turn), Math.cos(turn)], [x, y]);
    });
    this.bases = new Map(sketch.links.map((link) => [link.name, this.base(link, link.points.map((name) => at.get(name)!))]));
    const all = [...this.bases.values()].map(({ length }) => length).filter((x) => x > 0);
    this.size = all.length === 0 ? 1 : all.reduce((sum, x) => sum + x, 0) / all.length;
    const devices = sketch.devices.flatMap((device) => kindOf(device).equations(this, device, driven) ?? []);
    this.equations = [...links, ...lines, ...sketch.slots.flatMap((slot) => this.slot(slot)), ...devices, ...(driven ? this.turns() : [])];
    this.count = this.equations.reduce((sum, { count }) => sum + count, 0);
  }

  /** What a slot demands, by the drawing; where a description has it, exactly. */
  private slot(slot: Slot): readonly Equation[] {
    const drawn = (directionOf(this.sketch, slot) * Math.PI) / 180;
    const [guide, rider] = [slot.guide === null ? null : this.bases.get(slot.guide)!, this.bases.get(slot.rider)!];
    const place = (name: string) => this.sketch.points.find((point) => point.name === name)!;
    const angle = ({ one, other }: Base, of: (corner: NamedPlace) => Place = (corner) => corner) => Math.atan2(of(other).y - of(one).y, of(other).x - of(one).x);
    const standing = (base: Base) => angle(base, ({ name }) => place(name));
    const p = this.number.get(slot.point)!;
    const found: Equation[] = [];
    if (guide === null) {
      const [x, y] = [-Math.sin(drawn), Math.cos(drawn)];
      const from = place(slot.from ?? slot.point);
      found.push(new Line(slot.point, p, [x, y], [from.x, from.y]));
    } else {
      // the direction in the axes of the guide's base, whose origin is at its first point
      const along = slot.own && slot.to === null ? Math.atan2(slot.own.axis[1], slot.own.axis[0]) - angle(guide) : drawn - standing(guide);
      const normal = [-Math.sin(along), Math.cos(along)] as const;
      const through = guide.shape.find((corner) => corner.name === slot.from) ?? guide.one;
      const at = local(guide.one, guide.other, through);
      found.push(new Slide(slot.name, p, guide.a, guide.b, normal, (normal[0] * at.along + normal[1] * at.across) * guide.length, guide.length));
    }
    if (!slot.keeps) return found;
    const turn = slot.own ? slot.own.turn + angle(rider) - (guide === null ? 0 : angle(guide)) : standing(rider) - (guide === null ? 0 : standing(guide));
    return [...found, new Parallel(slot.name, guide, rider.a, rider.b, [Math.cos(turn), Math.sin(turn)])];
  }

  /** Motors, from where the linkage begins. */
  private turns(): readonly Turn[] {
    return this.sketch.motors.map(({ link, speed }) => {
      const { a, b } = this.bases.get(link)!;
      return new Turn(link, a, b, Math.atan2(this.start[b + 1]! - this.start[a + 1]!, this.start[b]! - this.start[a]!), speed);
    });
  }

  /** The first coordinate of a point; undefined if it belongs to no link. */
  coordinate(point: string): number | undefined {
    return this.number.get(point);
  }

  private base(link: Link, corners: readonly Point[]): Base {
    const shape = shapeOf(link, corners);
    const [one, other] = farthest(shape);
    return { shape, one, other, a: this.number.get(one.name)!, b: this.number.get(other.name)!, length: distanceOf(one, other) };
  }

  private rigid(link: Link, corners: readonly Point[], length: number | undefined): Equation[] {
    const { shape, one, other, a, b, length: distance } = this.base(link, corners);
    const corner = (found: NamedPlace, base: number, { along, across }: { readonly along: number; readonly across: number }) => new Corner(link.name, this.number.get(found.name)!, a, base, along, across);
    const rest = shape.filter((found) => found !== one && found !== other);
    // points that are all at one place stay together
    if (distance === 0) return [other, ...rest].map((found) => corner(found, a, { along: 0, across: 0 }));
    return [new Distance(link.name, a, b, length ?? distance), ...rest.map((found) => corner(found, b, local(one, other, found)))];
  }

  /** By how much the equations are missed. */
  miss(q: Float64Array, t = 0): Float64Array {
    return this.collected((equation) => equation.miss(q, t));
  }

  /** The derivatives of the equations by time. */
  rates(q: Float64Array, t: number): Float64Array {
    return this.collected((equation) => equation.rate?.(q, t));
  }

  /** The second derivatives of the equations along velocities of all coordinates, without what accelerations add. */
  bends(q: Float64Array, v: Float64Array, t: number): Float64Array {
    return this.collected((equation) => equation.bend?.(q, v, t));
  }

  private collected(values: (equation: Equation) => readonly number[] | undefined): Float64Array {
    const found = new Float64Array(this.count);
    let row = 0;
    for (const equation of this.equations) {
      values(equation)?.forEach((value, k) => (found[row + k] = value));
      row += equation.count;
    }
    return found;
  }

  /** The derivatives of the equations by the unknowns. */
  rows(q: Float64Array, t = 0): Rows {
    const { unknown, unknowns: width } = this;
    const entries = new Float64Array(this.count * width);
    let first = 0;
    const add = (row: number, coordinate: number, value: number) => {
      const column = unknown[coordinate]!;
      if (column >= 0) entries[(first + row) * width + column]! += value;
    };
    for (const equation of this.equations) {
      equation.derive(q, t, add);
      first += equation.count;
    }
    return { count: this.count, width, entries };
  }

  /** What each row is of. */
  owners(): readonly { readonly owner: Owner; readonly name: string }[] {
    return this.equations.flatMap(({ owner, of, count }) => Array.from({ length: count }, () => ({ owner, name: of })));
  }

  /** Coordinates with the unknowns changed. */
  stepped(q: Float64Array, by: Float64Array): Float64Array {
    return q.map((x, i) => (this.unknown[i]! < 0 ? x : x + by[this.unknown[i]!]!));
  }

  /** How a link is held at a place. */
  grip(link: Link, q: Float64Array, x: number, y: number): Grip {
    const corners = link.points.map((name) => this.place(name, q));
    const [one, other] = farthest(corners);
    return { a: one.name, b: other.name, ...local(one, other, { x, y }) };
  }

  place(name: string, q: Float64Array): { readonly name: string; readonly x: number; readonly y: number } {
    const i = this.number.get(name)!;
    return { name, x: q[i]!, y: q[i + 1]! };
  }

  held(grip: Grip, q: Float64Array): readonly [number, number] {
    const [a, b] = [this.place(grip.a, q), this.place(grip.b, q)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    return [a.x + grip.along * dx - grip.across * dy, a.y + grip.along * dy + grip.across * dx];
  }

  /** The derivatives of the place that is held by the unknowns: two rows. */
  gripRows({ a, b, along, across }: Grip): readonly [Float64Array, Float64Array] {
    const rows = [new Float64Array(this.unknowns), new Float64Array(this.unknowns)] as const;
    const [i, j] = [this.number.get(a)!, this.number.get(b)!];
    const add = (row: number, coordinate: number, value: number) => {
      const column = this.unknown[coordinate]!;
      if (column >= 0) rows[row]![column]! += value;
    };
    for (let k = 0; k < 2; k++) {
      const turned = k === 0 ? -1 : 1;
      add(k, i + k, 1 - along);
      add(k, j + k, along);
      add(k, j + 1 - k, turned * across);
      add(k, i + 1 - k, -turned * across);
    }
    return rows;
  }

  /** The sketch with its points where these coordinates put them. */
  posed(q: Float64Array): Sketch {
    const points = this.sketch.points.map((point) => {
      const i = this.number.get(point.name);
      return i === undefined || point.ground ? point : { ...point, x: q[i]!, y: q[i + 1]! };
    });
    return { ...this.sketch, points };
  }

  /** By how much a link is turned against the drawing, between −π and π. */
  turn(link: Link, q: Float64Array): number {
    const [one, other] = farthest(link.points.map((name) => this.place(name, this.start)));
    const [a, b] = [this.place(one.name, q), this.place(other.name, q)];
    const turn = Math.atan2(b.y - a.y, b.x - a.x) - Math.atan2(other.y - one.y, other.x - one.x);
    return Math.atan2(Math.sin(turn), Math.cos(turn));
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export interface NamedPlace extends Place {
  readonly name: string;
}

/** The two points of a link on which its equations are built, their first coordinates and distance, and all corners in axes of the link. */
export interface Base {
  readonly shape: readonly NamedPlace[];
  readonly one: NamedPlace;
  readonly other: NamedPlace;
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** How far a drawn corner may be from where the description has it, m: sketches of descriptions are drawn to a micrometre. */
const DRAWN = 4e-6;

/** The corners of a link in axes of its own: as its description has them, unless the drawing was changed since. */
function shapeOf(link: Link, corners: readonly Point[]): readonly NamedPlace[] {
  const { own } = link;
  const exact = own?.shape;
  if (exact === undefined || corners.some(({ name }) => exact[name] === undefined)) return corners;
  const found = corners.map(({ name }) => ({ name, x: exact[name]![0], y: exact[name]![1] }));
  const same = found.every((one, i) => found.slice(i + 1).every((other, k) => Math.abs(distanceOf(one, other) - distanceOf(corners[i]!, corners[i + 1 + k]!)) < DRAWN));
  return same ? found : corners;
}

const distanceOf = (a: Place, b: Place): number => Math.hypot(b.x - a.x, b.y - a.y);

/** A place in the axes of a and b. */
export function local(a: Place, b: Place, p: Place): { readonly along: number; readonly across: number } {
  const [dx, dy, x, y] = [b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y];
  const square = dx * dx + dy * dy || 1;
  return { along: (x * dx + y * dy) / square, across: (y * dx - x * dy) / square };
}
