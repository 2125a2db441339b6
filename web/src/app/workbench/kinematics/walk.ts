/**
 * Motion along the positions that a linkage allows, by small steps that stay on their branch.
 *
 * A step goes along the tangent and is corrected by Newton's method. It is taken only if the correction is small and if the
 * branch is the same: the determinant of the equations' derivatives together with the tangent keeps its sign on a branch, and
 * changes it where a step jumps to another branch nearby, even if both are almost straight (E. L. Allgower and K. Georg,
 * Numerical Continuation Methods, Springer, 1990, chapter 8). Otherwise the step is halved. Where two branches cross, as those
 * of a parallelogram do when it is flat, the motion goes straight on.
 */
import type { Linkage } from "./linkage";
import { Span, dot, length, orientation, orthonormal } from "./rows";

/** The longest step, and the shortest, as parts of the size of a link. A gap between branches that is smaller than the shortest is taken for a crossing. */
const LONGEST = 0.08;
const SHORTEST = 1e-7;

/** Misses of the equations that are accepted, as a part of the size of a link. */
const CLOSED = 1e-12;

/** How long the correction may be, as a part of the step, and how much of the step must lie along the new tangent. */
const CORRECTION = 0.3;
const ALONG = 0.9;

const ROUNDS = 8;

/** A position, and the directions in which the linkage can move there. */
export interface Standing {
  readonly q: Float64Array;
  readonly span: Span;
  /** An orthonormal basis of the tangent, which turns continuously along a walk. */
  readonly tangent: readonly Float64Array[];
  /** Rows whose derivatives are independent, the same along a walk. */
  readonly rows: readonly number[];
  readonly sign: number;
}

export class Walk {
  readonly longest: number;
  readonly shortest: number;

  constructor(readonly linkage: Linkage) {
    this.longest = LONGEST * linkage.size;
    this.shortest = SHORTEST * linkage.size;
  }

  /** Begins at the position in which the linkage is drawn, closed to the last digit; null if it cannot be closed near there. */
  begin(): Standing | null {
    const { linkage } = this;
    let q = linkage.start;
    for (let round = 0; round < ROUNDS; round++) {
      const missed = linkage.miss(q);
      const span = new Span(linkage.rows(q));
      if (missed.every((x) => Math.abs(x) <= CLOSED * linkage.size)) return this.standing(q, span, span.nullSpace(), span.chosen);
      q = linkage.stepped(q, span.solve(missed.map((x) => -x)));
    }
    return null;
  }

  private standing(q: Float64Array, span: Span, tangent: readonly Float64Array[], rows: readonly number[]): Standing {
    const { unknowns } = this.linkage;
    const { entries } = this.linkage.rows(q);
    const square = [...rows.map((row) => entries.subarray(row * unknowns, (row + 1) * unknowns)), ...tangent];
    return { q, span, tangent, rows, sign: square.length === unknowns ? orientation(square) : 0 };
  }

  /** The position at the end of a step along the tangent, or null if the step is too long. */
  step(from: Standing, by: Float64Array): Standing | null {
    const { linkage } = this;
    const long = length(by);
    let q = linkage.stepped(from.q, by);
    let corrected = new Float64Array(linkage.unknowns);
    let span: Span | null = null;
    for (let round = 0; ; round++) {
      const missed = linkage.miss(q);
      const worst = missed.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      if (!(worst < Infinity) || (round === ROUNDS && worst > CLOSED * linkage.size)) return null;
      span = new Span(linkage.rows(q));
      if (worst <= CLOSED * linkage.size) break;
      const change = span.solve(missed.map((x) => -x));
      corrected = corrected.map((x, i) => x + change[i]!);
      if (!(length(corrected) <= CORRECTION * long)) return null;
      q = linkage.stepped(q, change);
    }
    const free = linkage.unknowns - span.rank;
    const carried = orthonormal(from.tangent.map((direction) => span.project(direction)));
    // fewer freedoms than before: the walk has left a singular position, and the tangent is what there is now
    const settled = free < from.tangent.length;
    const tangent = settled ? span.nullSpace() : carried;
    if (tangent.length < Math.min(free, from.tangent.length)) return null;
    const along = Math.sqrt(tangent.reduce((sum, direction) => sum + dot(direction, by) ** 2, 0));
    if (along < ALONG * long && !settled) return null;
    if (settled && tangent.length > 0 && dot(tangent[0]!, by) < 0) for (let i = 0; i < tangent[0]!.length; i++) tangent[0]![i]! *= -1;
    const found = this.standing(q, span, tangent, settled ? span.chosen : from.rows);
    const same = settled || from.sign * found.sign >= 0;
    return same || long <= this.shortest * 4 ? found : null;
  }

  /** A walk along a single freedom, in one direction, as long as there is `more`. */
  *along(from: Standing, direction: 1 | -1): Generator<Standing> {
    let here = from;
    let stride = this.longest;
    let sense: number = direction;
    while (here.tangent.length === 1) {
      const tangent = here.tangent[0]!;
      const next = this.step(here, tangent.map((x) => sense * stride * x));
      if (next === null) {
        stride /= 2;
        if (stride < this.shortest) return;
        continue;
      }
      if (next.tangent.length === 1 && dot(next.tangent[0]!, tangent) < 0) sense = -sense;
      stride = Math.min(this.longest, stride * 2);
      here = next;
      yield here;
    }
  }
}
