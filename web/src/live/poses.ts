/** Where bodies are, from their frames: for each body a point and its directions, each followed by what it is in the body's own axes. */

import type { LiveBody } from "./data";

type Vector = [number, number, number];
type Axes = [Vector, Vector, Vector];

const ZERO: Vector = [0, 0, 0];

/** A point or direction of a body: where it is, and what it is in the body's own axes. */
interface Pair {
  there: Vector;
  own: Vector;
}

export class Frames {
  /** The axes that bodies had last, as columns: what spin slender bars have follows from it. */
  private readonly axes: Axes[];
  readonly size: number;

  constructor(
    private readonly bodies: readonly LiveBody[],
    private readonly dimension: number,
  ) {
    this.size = bodies.reduce((sum, body) => sum + 2 * dimension * (1 + body.directions), 0);
    this.axes = bodies.map(() => [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
  }

  /** x, y, z, qw, qx, qy, qz of each body, m. */
  poses(frames: Float64Array): Float64Array {
    const found = new Float64Array(7 * this.bodies.length);
    this.bodies.forEach((_, i) => {
      const [point, ...directions] = this.pairs(frames, i) as [Pair, ...Pair[]];
      const axes = this.dimension === 2 ? planar(directions[0]) : spatial(directions, this.axes[i] as Axes);
      this.axes[i] = axes;
      const offset = turned(axes, point.own);
      found.set([0, 1, 2].map((k) => (point.there[k] ?? 0) - (offset[k] ?? 0)), 7 * i);
      found.set(quaternion(axes), 7 * i + 3);
    });
    return found;
  }

  /** A point of a body, given in its own axes: linear in what the frames consist of. */
  point(frames: Float64Array, body: number, own: Vector): Vector {
    const [base, ...directions] = this.pairs(frames, body) as [Pair, ...Pair[]];
    const rest = minus(own, base.own);
    if (this.dimension === 2) {
      const d = directions[0] ?? { there: ZERO, own: [1, 0, 0] };
      const size = dot(d.own, d.own);
      const re = dot(rest, d.own) / size;
      const im = (d.own[0] * rest[1] - d.own[1] * rest[0]) / size;
      return [base.there[0] + re * d.there[0] - im * d.there[1], base.there[1] + re * d.there[1] + im * d.there[0], 0];
    }
    const parts = weights(directions.map((d) => d.own), rest);
    return directions.reduce((sum, d, k) => plus(sum, times(d.there, parts[k] ?? 0)), base.there);
  }

  private pairs(frames: Float64Array, body: number): Pair[] {
    let at = 0;
    for (let i = 0; i < body; i++) at += 2 * this.dimension * (1 + (this.bodies[i]?.directions ?? 0));
    const read = (): Vector => {
      const v: Vector = [frames[at] ?? 0, frames[at + 1] ?? 0, this.dimension === 3 ? (frames[at + 2] ?? 0) : 0];
      at += this.dimension;
      return v;
    };
    return Array.from({ length: 1 + (this.bodies[body]?.directions ?? 0) }, () => ({ there: read(), own: read() }));
  }
}

function planar(direction: Pair | undefined): Axes {
  if (direction === undefined) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const { there, own } = direction;
  const size = Math.hypot(own[0], own[1]) * Math.hypot(there[0], there[1]);
  const cos = (there[0] * own[0] + there[1] * own[1]) / size;
  const sin = (there[1] * own[0] - there[0] * own[1]) / size;
  return [[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]];
}

function spatial(directions: readonly Pair[], last: Axes): Axes {
  if (directions.length === 0) return last;
  if (directions.length === 1) {
    const { there, own } = directions[0] as Pair;
    return turn(last, unit(turned(last, own)), unit(there));
  }
  const there = triad(directions.map((d) => d.there));
  const own = triad(directions.map((d) => d.own));
  // columns: what the own axes have become
  return [0, 1, 2].map((k) => there.reduce((sum, axis, i) => plus(sum, times(axis, own[i]?.[k] ?? 0)), ZERO)) as Axes;
}

/** Axes turned the shortest way that brings one direction to another. */
function turn(axes: Axes, from: Vector, to: Vector): Axes {
  const axis = cross(from, to);
  const cosine = dot(from, to);
  if (cosine < -0.999999) {
    const across = unit(cross(from, Math.abs(from[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    return axes.map((v) => minus(times(across, 2 * dot(across, v)), v)) as Axes;
  }
  const found = axes.map((v) => plus(plus(times(v, cosine), cross(axis, v)), times(axis, dot(axis, v) / (1 + cosine))));
  return triad(found as Axes);
}

/** Axes at right angles to each other, the first along the first direction, and so on; the third is that of a right-handed system. */
function triad(directions: readonly Vector[]): Axes {
  const first = unit(directions[0] ?? [1, 0, 0]);
  const second = directions[1] ?? [0, 1, 0];
  const across = unit(minus(second, times(first, dot(first, second))));
  return [first, across, cross(first, across)];
}

/** The c with Σ c_k d_k = v, or nearest to it, for one to three directions. */
function weights(directions: readonly Vector[], v: Vector): number[] {
  const [first, second, given] = directions;
  if (first === undefined) return [];
  if (second === undefined) return [dot(first, v) / dot(first, first)];
  const third = given ?? cross(first, second);
  const volume = dot(cross(first, second), third);
  return [dot(cross(v, second), third), dot(cross(first, v), third), dot(cross(first, second), v)].map((x) => x / volume);
}

/** w, x, y, z of axes that are the columns of a rotation, by the largest component (Shepperd, 1978). */
function quaternion([a, b, c]: Axes): [number, number, number, number] {
  const trace = a[0] + b[1] + c[2];
  const squares = [1 + trace, 1 + 2 * a[0] - trace, 1 + 2 * b[1] - trace, 1 + 2 * c[2] - trace];
  const k = squares.indexOf(Math.max(...squares));
  const raw =
    k === 0
      ? [squares[0] ?? 0, b[2] - c[1], c[0] - a[2], a[1] - b[0]]
      : k === 1
        ? [b[2] - c[1], squares[1] ?? 0, a[1] + b[0], c[0] + a[2]]
        : k === 2
          ? [c[0] - a[2], a[1] + b[0], squares[2] ?? 0, b[2] + c[1]]
          : [a[1] - b[0], c[0] + a[2], b[2] + c[1], squares[3] ?? 0];
  const size = Math.hypot(...raw);
  return raw.map((x) => x / size) as [number, number, number, number];
}

function turned([a, b, c]: Axes, v: Vector): Vector {
  return plus(plus(times(a, v[0]), times(b, v[1])), times(c, v[2]));
}

function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function times(a: Vector, factor: number): Vector {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a: Vector): Vector {
  const size = Math.hypot(...a);
  return size > 0 ? times(a, 1 / size) : [1, 0, 0];
}
