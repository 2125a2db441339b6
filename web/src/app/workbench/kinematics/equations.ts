/**
 * What joints and motors demand of the coordinates of points: Φ(q, t) = 0, all in metres.
 *
 * Coordinates are numbered: a point begins at the number of its x, and its y follows. Each kind of equation gives its miss Φ, its
 * derivatives Φ_q and Φ_t, and what Φ̈ is beside Φ_q q̈.
 */

export type Owner = "link" | "slider" | "slot" | "gear" | "motor";

export interface Equation {
  /** What demands it, and how that is called. */
  readonly owner: Owner;
  readonly of: string;
  /** Rows that it has. */
  readonly count: number;
  /** Φ, one number for each row. */
  miss(q: Float64Array, t: number): readonly number[];
  /** Φ_q: calls `add` with a row, a coordinate and a value. */
  derive(q: Float64Array, t: number, add: (row: number, coordinate: number, value: number) => void): void;
  /** Φ_t */
  rate?(q: Float64Array, t: number): readonly number[];
  /** Φ̈ − Φ_q q̈; none if it is zero. */
  bend?(q: Float64Array, v: Float64Array, t: number): readonly number[];
}

/** (|b − a|² − L²)/2L = 0 */
export class Distance implements Equation {
  readonly count = 1;
  readonly owner = "link";

  constructor(readonly of: string, readonly a: number, readonly b: number, readonly length: number) {}

  miss(q: Float64Array): readonly number[] {
    const [x, y] = between(q, this.a, this.b);
    return [(x * x + y * y - this.length * this.length) / (2 * this.length)];
  }

  derive(q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    between(q, this.a, this.b).forEach((x, k) => {
      add(0, this.b + k, x / this.length);
      add(0, this.a + k, -x / this.length);
    });
  }

  bend(_q: Float64Array, v: Float64Array): readonly number[] {
    const [x, y] = between(v, this.a, this.b);
    return [(x * x + y * y) / this.length];
  }
}

/** p − a − α(b − a) − β J(b − a) = 0, where J turns by a right angle; two rows. */
export class Corner implements Equation {
  readonly count = 2;
  readonly owner = "link";

  constructor(readonly of: string, readonly p: number, readonly a: number, readonly b: number, readonly along: number, readonly across: number) {}

  miss(q: Float64Array): readonly number[] {
    const { p, a, along, across } = this;
    const [dx, dy] = between(q, a, this.b);
    return [q[p]! - q[a]! - along * dx + across * dy, q[p + 1]! - q[a + 1]! - along * dy - across * dx];
  }

  derive(_q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    const { p, a, b, along, across } = this;
    for (let k = 0; k < 2; k++) {
      const turned = k === 0 ? 1 : -1;
      add(k, p + k, 1);
      add(k, a + k, along - 1);
      add(k, b + k, -along);
      add(k, b + 1 - k, turned * across);
      add(k, a + 1 - k, -turned * across);
    }
  }
}

/** n · (p − p₀) = 0 */
export class Line implements Equation {
  readonly count = 1;
  readonly owner = "slider";

  constructor(readonly of: string, readonly p: number, readonly normal: readonly [number, number], readonly through: readonly [number, number]) {}

  miss(q: Float64Array): readonly number[] {
    return [this.normal[0] * (q[this.p]! - this.through[0]) + this.normal[1] * (q[this.p + 1]! - this.through[1])];
  }

  derive(_q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    add(0, this.p, this.normal[0]);
    add(0, this.p + 1, this.normal[1]);
  }
}

/** A motor turns b − a at a constant speed: e⊥ · (b − a) = 0 with e = (cos φ, sin φ), φ = φ₀ + ω t. */
export class Turn implements Equation {
  readonly count = 1;
  readonly owner = "motor";

  constructor(readonly of: string, readonly a: number, readonly b: number, readonly angle: number, readonly speed: number) {}

  private direction(t: number): readonly [number, number] {
    const angle = this.angle + this.speed * t;
    return [Math.cos(angle), Math.sin(angle)];
  }

  miss(q: Float64Array, t: number): readonly number[] {
    const [[x, y], [cos, sin]] = [between(q, this.a, this.b), this.direction(t)];
    return [cos * y - sin * x];
  }

  derive(_q: Float64Array, t: number, add: (row: number, coordinate: number, value: number) => void): void {
    const [cos, sin] = this.direction(t);
    [-sin, cos].forEach((part, k) => {
      add(0, this.b + k, part);
      add(0, this.a + k, -part);
    });
  }

  rate(q: Float64Array, t: number): readonly number[] {
    const [[x, y], [cos, sin]] = [between(q, this.a, this.b), this.direction(t)];
    return [-this.speed * (cos * x + sin * y)];
  }

  bend(q: Float64Array, v: Float64Array, t: number): readonly number[] {
    const [[x, y], [vx, vy], [cos, sin]] = [between(q, this.a, this.b), between(v, this.a, this.b), this.direction(t)];
    return [-2 * this.speed * (cos * vx + sin * vy) - this.speed * this.speed * (cos * y - sin * x)];
  }
}

/** b − a */
const between = (q: Float64Array, a: number, b: number): readonly [number, number] => [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
