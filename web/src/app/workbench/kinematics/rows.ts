/** Linear algebra of constraint rows: an orthogonal basis of what they span, found with pivoting, so that redundant rows do no harm. */

/** Rows of a matrix, one after another. */
export interface Rows {
  readonly count: number;
  readonly width: number;
  readonly entries: Float64Array;
}

/** A pivot below this part of the largest counts as zero. */
const RANK = 1e-9;

/**
 * Householder's factorisation of the transposed rows, Aᵀ P = Q R, with column pivoting.
 * The first `rank` columns of Q span the rows, the others their null space.
 */
export class Span {
  readonly rank: number;
  private readonly width: number;
  /** Column i of the work array: reflector i below the diagonal, R above it. */
  private readonly work: Float64Array;
  private readonly scale: Float64Array;
  private readonly order: Int32Array;
  /** Behind the last number of each reflector that is not zero: rows of linkages are short. */
  private readonly end: Int32Array;

  constructor(rows: Rows) {
    const { count, width } = rows;
    this.width = width;
    const work = (this.work = rows.entries.slice());
    const order = (this.order = Int32Array.from({ length: count }, (_, i) => i));
    const scale = (this.scale = new Float64Array(Math.min(count, width)));
    const end = (this.end = new Int32Array(scale.length));
    // squares of what is left of each row: brought up to date by subtraction, and computed anew where digits were lost
    const left = new Float64Array(count);
    const known = new Float64Array(count);
    const measure = (j: number, from: number) => {
      let sum = 0;
      for (let at = j * width + from; at < (j + 1) * width; at++) sum += work[at]! * work[at]!;
      left[j] = known[j] = sum;
    };
    for (let j = 0; j < count; j++) measure(j, 0);
    let [largest, rank] = [0, 0];
    for (let k = 0; k < scale.length; k++) {
      let best = k;
      for (let j = k + 1; j < count; j++) if (left[j]! > left[best]!) best = j;
      measure(best, k);
      const norm = Math.sqrt(left[best]!);
      if (k === 0) largest = norm;
      if (!(norm > RANK * largest)) break;
      if (best !== k) {
        for (let i = 0; i < width; i++) {
          const kept = work[k * width + i]!;
          work[k * width + i] = work[best * width + i]!;
          work[best * width + i] = kept;
        }
        [order[k], order[best]] = [order[best]!, order[k]!];
        [left[best], known[best]] = [left[k]!, known[k]!];
      }
      const at = k * width;
      const head = work[at + k]!;
      const beta = head > 0 ? -norm : norm;
      const first = head - beta;
      scale[k] = -first / beta;
      end[k] = k + 1;
      for (let i = k + 1; i < width; i++) {
        if (work[at + i] === 0) continue;
        work[at + i]! /= first;
        end[k] = i + 1;
      }
      work[at + k] = beta;
      for (let j = k + 1; j < count; j++) {
        this.reflect(k, work, j * width);
        const gone = work[j * width + k]!;
        left[j]! -= gone * gone;
        if (left[j]! < 1e-6 * known[j]!) measure(j, k + 1);
      }
      rank++;
    }
    this.rank = rank;
  }

  /** Applies reflector k to the vector that begins at an offset. */
  private reflect(k: number, vector: Float64Array, offset: number): void {
    const { work, width } = this;
    const at = k * width;
    const end = this.end[k]!;
    let sum = vector[offset + k]!;
    for (let i = k + 1; i < end; i++) sum += work[at + i]! * vector[offset + i]!;
    if (sum === 0) return;
    sum *= this.scale[k]!;
    vector[offset + k]! -= sum;
    for (let i = k + 1; i < end; i++) vector[offset + i]! -= sum * work[at + i]!;
  }

  /** Takes from a vector what the rows span: its part in the null space. */
  project(vector: Float64Array): Float64Array {
    const found = vector.slice();
    for (let k = 0; k < this.rank; k++) this.reflect(k, found, 0);
    found.fill(0, 0, this.rank);
    for (let k = this.rank - 1; k >= 0; k--) this.reflect(k, found, 0);
    return found;
  }

  /** An orthonormal basis of the null space. */
  nullSpace(): Float64Array[] {
    return Array.from({ length: this.width - this.rank }, (_, j) => {
      const found = new Float64Array(this.width);
      found[this.rank + j] = 1;
      for (let k = this.rank - 1; k >= 0; k--) this.reflect(k, found, 0);
      return found;
    });
  }

  /** The shortest vector x with A x = b; rows beyond the rank are left out. */
  solve(b: ArrayLike<number>): Float64Array {
    const { rank, width, work, order } = this;
    const found = new Float64Array(width);
    for (let i = 0; i < rank; i++) {
      let sum = b[order[i]!]!;
      for (let j = 0; j < i; j++) sum -= work[i * width + j]! * found[j]!;
      found[i] = sum / work[i * width + i]!;
    }
    for (let k = rank - 1; k >= 0; k--) this.reflect(k, found, 0);
    return found;
  }

  /** Factors y with Aᵀ y nearest to a vector; zero for rows beyond the rank. */
  factors(vector: Float64Array): Float64Array {
    const { rank, width, work, order } = this;
    const rest = vector.slice();
    for (let k = 0; k < rank; k++) this.reflect(k, rest, 0);
    const found = new Float64Array(order.length);
    for (let i = rank - 1; i >= 0; i--) {
      let sum = rest[i]!;
      for (let j = i + 1; j < rank; j++) sum -= work[j * width + i]! * found[order[j]!]!;
      found[order[i]!] = sum / work[i * width + i]!;
    }
    return found;
  }

  /** The numbers of the rows that were chosen, an independent set of as many as the rank. */
  get chosen(): readonly number[] {
    return [...this.order.subarray(0, this.rank)];
  }
}

/** The sign of the determinant of a square matrix given by its rows; 0 if it is singular. */
export function orientation(rows: readonly Float64Array[]): number {
  const size = rows.length;
  const left = rows.map((row) => row.slice());
  let sign = 1;
  for (let k = 0; k < size; k++) {
    let best = k;
    for (let i = k + 1; i < size; i++) if (Math.abs(left[i]![k]!) > Math.abs(left[best]![k]!)) best = i;
    const pivot = left[best]![k]!;
    if (pivot === 0) return 0;
    if (best !== k) {
      [left[k], left[best]] = [left[best]!, left[k]!];
      sign = -sign;
    }
    if (pivot < 0) sign = -sign;
    for (let i = k + 1; i < size; i++) {
      const factor = left[i]![k]! / pivot;
      if (factor !== 0) for (let j = k + 1; j < size; j++) left[i]![j]! -= factor * left[k]![j]!;
    }
  }
  return sign;
}

export const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};

export const length = (a: Float64Array): number => Math.sqrt(dot(a, a));

/** An orthonormal basis of what vectors span; those that depend on earlier ones are left out. */
export function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const found: Float64Array[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    for (let round = 0; round < 2; round++)
      for (const one of found) {
        const part = dot(rest, one);
        for (let i = 0; i < rest.length; i++) rest[i]! -= part * one[i]!;
      }
    const size = length(rest);
    if (size > 1e-6 * length(vector)) found.push(rest.map((x) => x / size));
  }
  return found;
}
