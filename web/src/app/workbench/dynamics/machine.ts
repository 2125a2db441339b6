/**
 * The equations of motion of a sketch, M q̈ + Φ_qᵀ λ = Q and Φ(q, t) = 0, in the coordinates of its points.
 *
 * Accelerations are those of the rows, the shortest ones, and of the freedoms, q̈ = q̈₀ + N z with Φ_q N = 0 and
 * Nᵀ M N z = Nᵀ (Q − M q̈₀), which also holds where rows are redundant.
 */
import { Linkage } from "../kinematics/linkage";
import { Span, dot } from "../kinematics/rows";
import type { Sketch, Spring } from "../sketch";
import { pointOf } from "../sketch";
import { Inertia } from "./inertia";

/** A mass counts as none below this part of the largest. */
const MASSLESS = 1e-12;

/** Positions and velocities of all coordinates; those of fixed points are zero. */
export interface State {
  readonly t: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

export class Machine {
  readonly linkage: Linkage;
  private readonly inertias: readonly Inertia[];
  private readonly springs: readonly { readonly spring: Spring; readonly ends: readonly [End, End]; readonly length: number }[];

  constructor(sketch: Sketch) {
    this.linkage = new Linkage(sketch, null, new Map(), true);
    this.inertias = sketch.links.map((link) => new Inertia(link, this.linkage.bases.get(link.name)!));
    this.springs = sketch.springs.map((spring) => {
      const [a, b] = [pointOf(sketch, spring.a), pointOf(sketch, spring.b)];
      return { spring, ends: [this.end(a.name), this.end(b.name)] as const, length: spring.length ?? Math.hypot(b.x - a.x, b.y - a.y) };
    }).filter(({ ends }) => ends.every((end) => end !== null)) as never;
  }

  /** Where a point has its coordinates; null if it belongs to nothing. */
  private end(name: string): End | null {
    const at = this.linkage.coordinate(name);
    const { x, y, ground } = pointOf(this.linkage.sketch, name);
    return at !== undefined ? { at, x: 0, y: 0 } : ground ? { at: -1, x, y } : null;
  }

  /** A vector of the unknowns as one of all coordinates. */
  widened(x: ArrayLike<number>): Float64Array {
    return Float64Array.from(this.linkage.unknown, (column) => (column < 0 ? 0 : x[column]!));
  }

  private narrowed(x: Float64Array): Float64Array {
    const found = new Float64Array(this.linkage.unknowns);
    this.linkage.unknown.forEach((column, i) => column >= 0 && (found[column] = x[i]!));
    return found;
  }

  private heavy(v: Float64Array): Float64Array {
    const found = new Float64Array(v.length);
    for (const inertia of this.inertias) inertia.multiply(v, found);
    return found;
  }

  private loads({ q, v }: State): Float64Array {
    const found = new Float64Array(q.length);
    for (const inertia of this.inertias) inertia.weigh(this.linkage.sketch.gravity, found);
    for (const { point, x, y } of this.linkage.sketch.forces) {
      const at = this.linkage.coordinate(point);
      if (at === undefined) continue;
      found[at]! += x;
      found[at + 1]! += y;
    }
    for (const { link, torque } of this.linkage.sketch.torques) {
      // a couple at the ends of the base: ±τ J d / L²
      const { a, b, length } = this.linkage.bases.get(link)!;
      const [dx, dy] = [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
      [-dy, dx].forEach((part, k) => {
        found[b + k]! += (torque * part) / (length * length);
        found[a + k]! -= (torque * part) / (length * length);
      });
    }
    for (const { spring, ends, length } of this.springs) {
      const [dx, dy] = apart(ends, q, true);
      const [vx, vy] = apart(ends, v, false);
      const far = Math.hypot(dx, dy);
      if (far === 0) continue;
      const pull = (spring.stiffness * (far - length) + (spring.damping * (dx * vx + dy * vy)) / far) / far;
      ends.forEach(({ at }, k) => {
        if (at < 0) return;
        found[at]! += (k === 0 ? pull : -pull) * dx;
        found[at + 1]! += (k === 0 ? pull : -pull) * dy;
      });
    }
    return found;
  }

  /** Accelerations of all coordinates, and the factors λ of the rows; null if a freedom has no mass. */
  accelerations(state: State): { readonly a: Float64Array; readonly factors: () => Float64Array } | null {
    const { linkage } = this;
    const { t, q, v } = state;
    const span = new Span(linkage.rows(q, t));
    const begin = span.solve(linkage.bends(q, v, t).map((x) => -x));
    const loads = this.loads(state);
    const rest = this.narrowed(subtracted(loads, this.heavy(this.widened(begin))));
    const a = this.along(span, rest);
    if (a === null) return null;
    const all = this.widened(a.map((x, i) => x + begin[i]!));
    return { a: all, factors: () => span.factors(this.narrowed(subtracted(loads, this.heavy(all)))) };
  }

  /** N z with Nᵀ M N z = Nᵀ x, by Cholesky's factorisation; null if that is singular. */
  private along(span: Span, x: Float64Array): Float64Array | null {
    const basis = span.nullSpace();
    const heavy = basis.map((one) => this.narrowed(this.heavy(this.widened(one))));
    const matrix = basis.map((one) => heavy.map((other) => dot(one, other)));
    const most = matrix.reduce((found, row, i) => Math.max(found, row[i]!), 0);
    const z = basis.map((one) => dot(one, x));
    for (let i = 0; i < z.length; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = matrix[i]![j]!;
        for (let k = 0; k < j; k++) sum -= matrix[i]![k]! * matrix[j]![k]!;
        if (i === j && !(sum > MASSLESS * most)) return null;
        matrix[i]![j] = i === j ? Math.sqrt(sum) : sum / matrix[j]![j]!;
      }
      for (let k = 0; k < i; k++) z[i]! -= matrix[i]![k]! * z[k]!;
      z[i]! /= matrix[i]![i]!;
    }
    for (let i = z.length - 1; i >= 0; i--) {
      for (let k = i + 1; k < z.length; k++) z[i]! -= matrix[k]![i]! * z[k]!;
      z[i]! /= matrix[i]![i]!;
    }
    const found = new Float64Array(x.length);
    basis.forEach((one, k) => one.forEach((part, i) => (found[i]! += z[k]! * part)));
    return found;
  }

  /** The velocities of least kinetic energy with which the motors begin; null if a freedom has no mass. */
  velocities(q: Float64Array, t: number): Float64Array | null {
    const span = new Span(this.linkage.rows(q, t));
    const least = span.solve(this.linkage.rates(q, t).map((x) => -x));
    const back = this.along(span, this.narrowed(this.heavy(this.widened(least))));
    return back && this.widened(least.map((x, i) => x - back[i]!));
  }

  energies({ q, v }: State): { readonly kinetic: number; readonly potential: number } {
    const lifted = this.inertias.reduce((sum, inertia) => sum + inertia.moment(q), 0) * this.linkage.sketch.gravity;
    const stretched = this.springs.reduce((sum, { spring, ends, length }) => sum + 0.5 * spring.stiffness * (Math.hypot(...apart(ends, q, true)) - length) ** 2, 0);
    return { kinetic: 0.5 * dot(v, this.heavy(v)), potential: lifted + stretched };
  }
}

interface End {
  /** The number of its x; −1 if it is fixed. */
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** What lies between two ends: of places, fixed ones too, or of velocities. */
function apart([a, b]: readonly [End, End], x: Float64Array, places: boolean): readonly [number, number] {
  const of = ({ at, x: x0, y: y0 }: End) => (at < 0 ? (places ? [x0, y0] : [0, 0]) : [x[at]!, x[at + 1]!]) as [number, number];
  const [[ax, ay], [bx, by]] = [of(a), of(b)];
  return [bx - ax, by - ay];
}

const subtracted = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, i) => x - b[i]!);
