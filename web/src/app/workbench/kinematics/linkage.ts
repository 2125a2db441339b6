/**
 * The equations of a sketch: what its links, pins and sliders demand of the places of its points.
 *
 * Unknown are the coordinates of the points that belong to a link and are not fixed. A link keeps the distance of two of its
 * points, and every other point of it is a linear function of these two. All equations are in metres.
 */
import { farthest } from "../hull";
import type { Link, Point, Sketch } from "../sketch";
import type { Rows } from "./rows";

/** (|b − a|² − L²)/2L = 0; the coordinates of a begin at number a, those of b at b. */
interface Distance {
  readonly kind: "distance";
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** p − a − α(b − a) − β J(b − a) = 0, where J turns by a right angle; two rows. */
interface Corner {
  readonly kind: "corner";
  readonly p: number;
  readonly a: number;
  readonly b: number;
  readonly along: number;
  readonly across: number;
}

/** n · (p − p₀) = 0 */
interface Line {
  readonly kind: "line";
  readonly p: number;
  readonly normal: readonly [number, number];
  readonly through: readonly [number, number];
}

type Equation = (Distance | Corner | Line) & {
  /** The link, or the point of the slider, that demands it. */
  readonly of: string;
};

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
  /** All coordinates as drawn: x and y of each point. */
  readonly start: Float64Array;
  /** The size of a typical link, m. */
  readonly size: number;
  /** Links and points that are driven or demand something, by their names. */
  readonly equations: readonly Equation[];
  readonly count: number;
  private readonly number: ReadonlyMap<string, number>;

  /**
   * @param pose    where the linkage is to begin, if not where it is drawn; lengths are always those of the drawing
   * @param lengths other lengths of bars
   */
  constructor(
    readonly sketch: Sketch,
    pose: Sketch | null = null,
    lengths: ReadonlyMap<string, number> = new Map(),
  ) {
    const used = new Set(sketch.links.flatMap((link) => link.points));
    const points = sketch.points.filter((point) => used.has(point.name));
    this.points = points.map((point) => point.name);
    this.number = new Map(points.map((point, k) => [point.name, 2 * k]));
    const begin = new Map(pose?.points.map((point) => [point.name, point]));
    this.start = Float64Array.from(points.map((point) => begin.get(point.name) ?? point).flatMap(({ x, y }) => [x, y]));
    let free = 0;
    this.unknown = Int32Array.from(points.flatMap(({ ground }) => (ground ? [-1, -1] : [free++, free++])));
    this.unknowns = free;
    const at = new Map(points.map((point) => [point.name, point]));
    const links = sketch.links.flatMap((link) => this.rigid(link, link.points.map((name) => at.get(name)!))).map((equation): Equation => (equation.kind === "distance" ? { ...equation, length: lengths.get(equation.of) ?? equation.length } : equation));
    const lines = sketch.sliders.filter((slider) => used.has(slider.point) && !at.get(slider.point)!.ground).map((slider): Equation => {
      const turn = (slider.angle * Math.PI) / 180;
      const { x, y } = at.get(slider.point)!;
      return { kind: "line", of: slider.point, p: this.number.get(slider.point)!, normal: [-Math.sin(turn), Math.cos(turn)], through: [x, y] };
    });
    this.equations = [...links, ...lines];
    this.count = this.equations.reduce((sum, { kind }) => sum + (kind === "corner" ? 2 : 1), 0);
    const all = links.flatMap((equation) => (equation.kind === "distance" ? [equation.length] : []));
    this.size = all.length === 0 ? 1 : all.reduce((sum, x) => sum + x, 0) / all.length;
  }

  /** The first coordinate of a point; undefined if it belongs to no link. */
  coordinate(point: string): number | undefined {
    return this.number.get(point);
  }

  private rigid(link: Link, corners: readonly Point[]): Equation[] {
    const shape = shapeOf(link, corners);
    const [one, other] = farthest(shape);
    const [a, b] = [this.number.get(one.name)!, this.number.get(other.name)!];
    const distance = distanceOf(one, other);
    const rest = shape.filter((corner) => corner !== one && corner !== other);
    const frame = (corner: NamedPlace): Equation => ({ kind: "corner", of: link.name, p: this.number.get(corner.name)!, a, b, ...local(one, other, corner) });
    // points that are all at one place stay together
    if (distance === 0) return [other, ...rest].map((corner) => ({ kind: "corner", of: link.name, p: this.number.get(corner.name)!, a, b: a, along: 0, across: 0 }));
    return [{ kind: "distance", of: link.name, a, b, length: distance }, ...rest.map(frame)];
  }

  /** By how much the equations are missed. */
  miss(q: Float64Array): Float64Array {
    const found = new Float64Array(this.count);
    let row = 0;
    for (const equation of this.equations) {
      if (equation.kind === "distance") {
        const { a, b, length } = equation;
        const [dx, dy] = [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
        found[row++] = (dx * dx + dy * dy - length * length) / (2 * length);
      } else if (equation.kind === "corner") {
        const { p, a, b, along, across } = equation;
        const [dx, dy] = [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
        found[row++] = q[p]! - q[a]! - along * dx + across * dy;
        found[row++] = q[p + 1]! - q[a + 1]! - along * dy - across * dx;
      } else {
        const { p, normal, through } = equation;
        found[row++] = normal[0] * (q[p]! - through[0]) + normal[1] * (q[p + 1]! - through[1]);
      }
    }
    return found;
  }

  /** The derivatives of the equations by the unknowns. */
  rows(q: Float64Array): Rows {
    const { unknown, unknowns: width } = this;
    const entries = new Float64Array(this.count * width);
    const add = (row: number, coordinate: number, value: number) => {
      const column = unknown[coordinate]!;
      if (column >= 0) entries[row * width + column]! += value;
    };
    let row = 0;
    for (const equation of this.equations) {
      if (equation.kind === "distance") {
        const { a, b, length } = equation;
        for (let k = 0; k < 2; k++) {
          const part = (q[b + k]! - q[a + k]!) / length;
          add(row, b + k, part);
          add(row, a + k, -part);
        }
        row++;
      } else if (equation.kind === "corner") {
        const { p, a, b, along, across } = equation;
        for (let k = 0; k < 2; k++, row++) {
          const turned = k === 0 ? 1 : -1;
          add(row, p + k, 1);
          add(row, a + k, along - 1);
          add(row, b + k, -along);
          add(row, b + 1 - k, turned * across);
          add(row, a + 1 - k, -turned * across);
        }
      } else {
        add(row, equation.p, equation.normal[0]);
        add(row, equation.p + 1, equation.normal[1]);
        row++;
      }
    }
    return { count: this.count, width, entries };
  }

  /** Which link or slider each row is of. */
  owners(): readonly { readonly kind: "link" | "slider"; readonly name: string }[] {
    return this.equations.flatMap(({ kind, of }) => Array.from({ length: kind === "corner" ? 2 : 1 }, () => ({ kind: kind === "line" ? ("slider" as const) : ("link" as const), name: of })));
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

interface NamedPlace extends Place {
  readonly name: string;
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
function local(a: Place, b: Place, p: Place): { readonly along: number; readonly across: number } {
  const [dx, dy, x, y] = [b.x - a.x, b.y - a.y, p.x - a.x, p.y - a.y];
  const square = dx * dx + dy * dy || 1;
  return { along: (x * dx + y * dy) / square, across: (y * dx - x * dy) / square };
}
