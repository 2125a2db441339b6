/** What gears, belts, racks and cylinders demand of the coordinates of points. */
import type { Equation, Owner } from "./equations";
import type { Base, Linkage } from "./linkage";

/** The largest numbers that stand for a ratio; with larger ones a step of the linkage could be a whole tooth. */
const LARGEST = 1000;

/** A turn of a base: the coordinates of its points, and its factor. */
interface Turning {
  readonly a: number;
  readonly b: number;
  readonly factor: number;
}

const between = (q: Float64Array, a: number, b: number): readonly [number, number] => [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
const wrapped = (x: number): number => Math.atan2(Math.sin(x), Math.cos(x));

const angles = (q: Float64Array, turns: readonly Turning[]): number => turns.reduce((sum, { a, b, factor }) => {
  const [x, y] = between(q, a, b);
  return sum + factor * Math.atan2(y, x);
}, 0);

function deriveAngles(q: Float64Array, turns: readonly Turning[], add: (coordinate: number, value: number) => void): void {
  for (const { a, b, factor } of turns) {
    const [x, y] = between(q, a, b);
    const square = x * x + y * y;
    [-y / square, x / square].forEach((part, k) => {
      add(b + k, factor * part);
      add(a + k, -factor * part);
    });
  }
}

/** θ̈ beside what accelerations add: −2 (d × ḋ)(d · ḋ)/|d|⁴. */
const bendAngles = (q: Float64Array, v: Float64Array, turns: readonly Turning[]): number => turns.reduce((sum, { a, b, factor }) => {
  const [[x, y], [vx, vy]] = [between(q, a, b), between(v, a, b)];
  return sum - (2 * factor * (x * vy - y * vx) * (x * vx + y * vy)) / (x * x + y * y) ** 2;
}, 0);

const turning = ({ a, b }: Base, factor: number): Turning => ({ a, b, factor });

/** Σ n θ = Σ n θ₀ with whole numbers n: modulo 2π, so that it does not depend on whole turns. */
export class Mesh implements Equation {
  readonly count = 1;
  readonly owner: Owner = "gear";
  private readonly drawn: number;

  private constructor(readonly of: string, private readonly turns: readonly Turning[], start: Float64Array, private readonly scale: number) {
    this.drawn = angles(start, turns);
  }

  /** Two links, and perhaps their carrier, whose turns have these factors; null if these are not in a ratio of small whole numbers. */
  static of(linkage: Linkage, name: string, links: readonly string[], factors: readonly [number, number]): Mesh | null {
    const ratio = Mesh.ratio(factors);
    if (ratio === null) return null;
    const all = [ratio[0], ratio[1], -(ratio[0] + ratio[1])];
    const turns = links.map((link, k) => turning(linkage.bases.get(link)!, all[k]!));
    return new Mesh(name, turns, linkage.drawn, linkage.size / Math.max(...ratio.map(Math.abs)));
  }

  /** The whole numbers of a ratio, by its continued fraction. */
  static ratio([a, b]: readonly [number, number]): readonly [number, number] | null {
    const [wanted, sign] = [Math.abs(a / b), Math.sign(a) * Math.sign(b)];
    let [p, q, p0, q0, x] = [Math.floor(wanted), 1, 1, 0, wanted];
    while (Math.max(p, q) <= LARGEST) {
      if (p > 0 && Math.abs(p / q - wanted) <= 1e-11 * wanted) return [p, sign * q];
      x = 1 / (x - Math.floor(x));
      if (!Number.isFinite(x)) return null;
      const digit = Math.floor(x);
      [p, q, p0, q0] = [digit * p + p0, digit * q + q0, p, q];
    }
    return null;
  }

  miss(q: Float64Array): readonly number[] {
    return [this.scale * wrapped(angles(q, this.turns) - this.drawn)];
  }

  derive(q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    deriveAngles(q, this.turns, (coordinate, value) => add(0, coordinate, this.scale * value));
  }

  bend(q: Float64Array, v: Float64Array): readonly number[] {
    return [this.scale * bendAngles(q, v, this.turns)];
  }
}

/** x − r θ = x₀ − r θ₀, where x is the coordinate of a point along a direction; taken by whole turns of θ. */
export class Rolling implements Equation {
  readonly count = 1;
  readonly owner: Owner = "gear";
  private readonly turns: readonly Turning[];
  private readonly drawn: number;

  constructor(readonly of: string, private readonly p: number, private readonly along: readonly [number, number], pinion: Base, private readonly radius: number, start: Float64Array) {
    this.turns = [turning(pinion, 1)];
    this.drawn = this.sum(start);
  }

  /** x/r − θ */
  private sum(q: Float64Array): number {
    return (this.along[0] * q[this.p]! + this.along[1] * q[this.p + 1]!) / this.radius - angles(q, this.turns);
  }

  miss(q: Float64Array): readonly number[] {
    return [this.radius * wrapped(this.sum(q) - this.drawn)];
  }

  derive(q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    this.along.forEach((part, k) => add(0, this.p + k, part));
    deriveAngles(q, this.turns, (coordinate, value) => add(0, coordinate, -this.radius * value));
  }

  bend(q: Float64Array, v: Float64Array): readonly number[] {
    return [-this.radius * bendAngles(q, v, this.turns)];
  }
}

/** (|b − a|² − f²)/2L = 0 with f = L + u t: a cylinder at a constant speed, from where the linkage begins. */
export class Reach implements Equation {
  readonly count = 1;
  readonly owner: Owner = "motor";
  private readonly length: number;

  constructor(readonly of: string, private readonly a: number, private readonly b: number, private readonly speed: number, start: Float64Array) {
    this.length = Math.hypot(...between(start, a, b));
  }

  private now(t: number): number {
    return this.length + this.speed * t;
  }

  miss(q: Float64Array, t: number): readonly number[] {
    const [x, y] = between(q, this.a, this.b);
    return [(x * x + y * y - this.now(t) ** 2) / (2 * this.length)];
  }

  derive(q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    between(q, this.a, this.b).forEach((x, k) => {
      add(0, this.b + k, x / this.length);
      add(0, this.a + k, -x / this.length);
    });
  }

  rate(_q: Float64Array, t: number): readonly number[] {
    return [(-this.speed * this.now(t)) / this.length];
  }

  bend(_q: Float64Array, v: Float64Array): readonly number[] {
    const [x, y] = between(v, this.a, this.b);
    return [(x * x + y * y - this.speed ** 2) / this.length];
  }
}
