/**
 * How near a singular position is: a closer look where the check inside the time loop is not certain, as single runs take it in Python (`grashof.singular.critical_points`,
 * `grashof.integrate.approach`).
 */

import { BEGIN, INSIDE, NEARBY, OVERSHOT, TURNED } from "./data";
import type { Block, Function, Machine } from "./machine";

type Matrix = Float64Array[];

export class Surroundings {
  private readonly gradients: Function;

  constructor(
    private readonly machine: Machine,
    private readonly c: Block,
  ) {
    const { layout } = machine.data;
    const entries = layout.pattern.reduce((sum, row) => sum + row.length, 0);
    this.gradients = machine.function("gradients", 1 + 2 * layout.n + layout.extra, entries);
  }

  /** The least singular value of the rows, each of unit length, but for those that others imply. */
  distance(x: ArrayLike<number>): number {
    const rows = unit(this.rows(x));
    const values = eigenvalues(rows.map((a) => Float64Array.from(rows, (b) => dot(a, b))));
    return Math.sqrt(Math.max(0, values[this.machine.data.layout.redundant] ?? 0));
  }

  /** Whether a step seems to have passed a singular position: the determinant of the rows at its ends, times each other, changes its sign. */
  changed(before: Float64Array, after: Float64Array, inside: (time: number) => Float64Array): boolean {
    let ends: [Float64Array, Float64Array] = [before, after];
    if (this.alike(...ends, TURNED)) return false;
    for (let round = 0; round < 2; round++) {
      const [begin, end] = [ends[0][0] ?? 0, ends[1][0] ?? 0];
      const points = Array.from({ length: INSIDE + 1 }, (_, k) =>
        k === 0 ? ends[0] : k === INSIDE ? ends[1] : inside(begin + ((end - begin) * k) / INSIDE),
      );
      const k = points.findIndex((x, i) => i > 0 && !this.alike(points[i - 1] as Float64Array, x, -1));
      if (k < 0) return false;
      ends = [points[k - 1] as Float64Array, points[k] as Float64Array];
    }
    return true;
  }

  /** Whether the motion slows down and speeds up again inside a step, next to a singular position. */
  turnsNear(before: Float64Array, after: Float64Array, inside: (time: number) => Float64Array): boolean {
    const { n } = this.machine.data.layout;
    const speed = (x: Float64Array): number => dot(x.subarray(1 + n, 1 + 2 * n), x.subarray(1 + n, 1 + 2 * n));
    let [left, right] = [before[0] ?? 0, after[0] ?? 0];
    for (let round = 0; round < 60; round++) {
      const third = (right - left) / 3;
      if (speed(inside(left + third)) < speed(inside(right - third))) right -= third;
      else left += third;
    }
    const slowest = inside(0.5 * (left + right));
    const ends = Math.min(speed(before), speed(after));
    return speed(slowest) <= ends && this.distance(slowest) < NEARBY;
  }

  /** Whether the last of these states come nearer and nearer to a singular position. */
  approached(states: readonly Float64Array[]): boolean {
    const known = new Map<number, number>();
    const far = (row: number): number => {
      const found = known.get(row) ?? this.distance(states[row] as Float64Array);
      known.set(row, found);
      return found;
    };
    const count = states.length - 1;
    let last = count;
    if (last < 1 || far(last) >= (BEGIN[0] ?? 0)) return false;
    while (last > Math.max(count - OVERSHOT, 0) && far(last - 1) < far(last)) last--;
    if (last < 1 || !(far(last) < far(last - 1))) return false;
    return BEGIN.some((wanted) => {
      let row = last;
      while (far(row) < wanted && row > 0 && far(row - 1) > far(row)) row--;
      return far(last) < 0.5 * far(row);
    });
  }

  /** Whether neighbouring states are on the same side for sure. */
  private alike(before: Float64Array, after: Float64Array, turned: number): boolean {
    const { redundant } = this.machine.data.layout;
    const all = [this.rows(before), this.rows(after)] as const;
    const chosen = independent(unit(all[0]), all[0].length - redundant);
    const [old, now] = all.map((rows) => chosen.map((k) => rows[k] as Float64Array)) as [Matrix, Matrix];
    const products = now.map((a) => Float64Array.from(old, (b) => dot(a, b)));
    const straight = products.every((row, i) => (row[i] ?? 0) > turned * size(now[i] as Float64Array) * size(old[i] as Float64Array));
    return straight && signOfDeterminant(products) > 0;
  }

  private rows(x: ArrayLike<number>): Matrix {
    const { n, pattern } = this.machine.data.layout;
    const entries = this.gradients(x, this.c);
    let at = 0;
    return pattern.map((columns) => {
      const row = new Float64Array(n);
      for (const column of columns) row[column] = entries[at++] ?? 0;
      return row;
    });
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function size(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}

function unit(rows: Matrix): Matrix {
  return rows.map((row) => row.map((x) => x / (size(row) || 1)));
}

/** So many of the rows, each the one that is farthest from the span of those before it. */
function independent(rows: Matrix, count: number): number[] {
  if (count === rows.length) return rows.map((_, k) => k);
  const rest = rows.map((row) => row.slice());
  const chosen: number[] = [];
  for (let round = 0; round < count; round++) {
    const sizes = rest.map(size);
    const k = sizes.indexOf(Math.max(...sizes));
    chosen.push(k);
    const direction = (rest[k] as Float64Array).map((x) => x / (sizes[k] || 1));
    for (const row of rest) {
      const along = dot(row, direction);
      row.forEach((x, i) => (row[i] = x - along * (direction[i] ?? 0)));
    }
  }
  return chosen.sort((a, b) => a - b);
}

/** By elimination, the largest pivot first. */
function signOfDeterminant(matrix: Matrix): number {
  const rows: Matrix = matrix.map((row) => row.slice());
  let sign = 1;
  for (let k = 0; k < rows.length; k++) {
    let best = k;
    for (let i = k + 1; i < rows.length; i++) if (Math.abs(rows[i]?.[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0)) best = i;
    if (best !== k) {
      [rows[k], rows[best]] = [rows[best] as Float64Array, rows[k] as Float64Array];
      sign = -sign;
    }
    const pivot = rows[k]?.[k] ?? 0;
    if (!(Math.abs(pivot) > 0)) return 0;
    sign *= Math.sign(pivot);
    for (const row of rows.slice(k + 1)) {
      const factor = (row[k] ?? 0) / pivot;
      for (let j = k; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (rows[k]?.[j] ?? 0);
    }
  }
  return sign;
}

/** Those of a symmetric matrix, the least first, by Jacobi's rotations. */
function eigenvalues(matrix: Matrix): number[] {
  const a = matrix.map((row) => row.slice());
  const n = a.length;
  const at = (i: number, j: number): number => a[i]?.[j] ?? 0;
  const put = (i: number, j: number, x: number): void => void ((a[i] as Float64Array)[j] = x);
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        off = Math.max(off, Math.abs(at(p, q)));
        if (Math.abs(at(p, q)) < 1e-17) continue;
        const theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const [x, y] = [at(k, p), at(k, q)];
          put(k, p, c * x - s * y);
          put(k, q, s * x + c * y);
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [at(p, k), at(q, k)];
          put(p, k, c * x - s * y);
          put(q, k, s * x + c * y);
        }
      }
    if (off < 1e-16) break;
  }
  return a.map((row, i) => row[i] ?? 0).sort((x, y) => x - y);
}
