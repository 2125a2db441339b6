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

/** n · (w − (p₀ − a)) = 0 with w = p − a and a normal n that is fixed in the link of d = b − a: (ν · (w · d, w · J d) − ν₀ L)/L. */
export class Slide implements Equation {
  readonly count = 1;
  readonly owner = "slot";

  /** @param normal in the axes of d; `offset` is that of the line along it, m */
  constructor(readonly of: string, readonly p: number, readonly a: number, readonly b: number, readonly normal: readonly [number, number], readonly offset: number, readonly length: number) {}

  /** (n₁ x + n₂ y) · (along, across): what the normal makes of w and d. */
  private across([wx, wy]: readonly [number, number], [dx, dy]: readonly [number, number]): number {
    return (this.normal[0] * (wx * dx + wy * dy) + this.normal[1] * (wy * dx - wx * dy)) / this.length;
  }

  miss(q: Float64Array): readonly number[] {
    return [this.across(between(q, this.a, this.p), between(q, this.a, this.b)) - this.offset];
  }

  derive(q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    const [w, d] = [between(q, this.a, this.p), between(q, this.a, this.b)];
    for (const [k, unit] of ([[1, 0], [0, 1]] as const).entries()) {
      const [byPoint, byLink] = [this.across(unit, d), this.across(w, unit)];
      add(0, this.p + k, byPoint);
      add(0, this.b + k, byLink);
      add(0, this.a + k, -byPoint - byLink);
    }
  }

  bend(_q: Float64Array, v: Float64Array): readonly number[] {
    return [2 * this.across(between(v, this.a, this.p), between(v, this.a, this.b))];
  }
}

/** A direction e = d₁ turned by an angle, or one of the ground, is across to no part of d₂ = b₂ − a₂: e × d₂ / L = 0. */
export class Parallel implements Equation {
  readonly count = 1;
  readonly owner = "slot";

  /** @param guide coordinates of the guide's base and its length; none for the ground */
  constructor(readonly of: string, readonly guide: { readonly a: number; readonly b: number; readonly length: number } | null, readonly a: number, readonly b: number, readonly turn: readonly [number, number]) {}

  private turned([x, y]: readonly [number, number]): readonly [number, number] {
    const [cos, sin] = this.turn;
    return [cos * x - sin * y, sin * x + cos * y];
  }

  private direction(q: Float64Array): readonly [number, number] {
    if (this.guide === null) return this.turn;
    const [x, y] = this.turned(between(q, this.guide.a, this.guide.b));
    return [x / this.guide.length, y / this.guide.length];
  }

  miss(q: Float64Array): readonly number[] {
    return [crossed(this.direction(q), between(q, this.a, this.b))];
  }

  derive(q: Float64Array, _t: number, add: (row: number, coordinate: number, value: number) => void): void {
    const [e, d] = [this.direction(q), between(q, this.a, this.b)];
    for (const [k, unit] of ([[1, 0], [0, 1]] as const).entries()) {
      const part = crossed(e, unit);
      add(0, this.b + k, part);
      add(0, this.a + k, -part);
      if (this.guide === null) continue;
      const own = crossed(this.turned(unit), d) / this.guide.length;
      add(0, this.guide.b + k, own);
      add(0, this.guide.a + k, -own);
    }
  }

  bend(_q: Float64Array, v: Float64Array): readonly number[] {
    return this.guide === null ? [0] : [2 * crossed(this.direction(v), between(v, this.a, this.b))];
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

const crossed = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number => ax * by - ay * bx;

/** b − a */
const between = (q: Float64Array, a: number, b: number): readonly [number, number] => [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
