/** Where forces and laws change which of their expressions are used (`grashof.changes.kinks`). */

import { APART, MOSTLY } from "./data";
import type { Block, Function, Machine } from "./machine";

const ROUNDING = 2 ** -52;

export class Switches {
  private readonly native: Function | null;

  constructor(
    private readonly machine: Machine,
    private readonly c: Block,
  ) {
    const { layout } = machine.data;
    const outputs = 1 + Math.max(-1, ...layout.switches.flatMap(([output, other]) => [output, other]));
    this.native = outputs > 0 ? machine.function("switches", 1 + 2 * layout.n + layout.extra, outputs) : null;
  }

  get count(): number {
    return this.machine.data.layout.switches.length;
  }

  /** The position of each: whole numbers, or 1 where it is positive and 0 elsewhere. */
  at(x: ArrayLike<number>): number[] {
    if (this.native === null) return [];
    const found = this.native(x, this.c);
    return this.machine.data.layout.switches.map(([output, other, whole]) => {
      const value = (found[output] ?? 0) - (other < 0 ? 0 : (found[other] ?? 0));
      return whole ? value : value > 0 ? 1 : 0;
    });
  }
}

/**
 * Stops in a step in which expressions change more than once; none if what acts in between cannot have been missed.
 *
 * `points` are states of the step, its ends among them, and `inside` gives others.
 */
export function changes(
  switches: Switches,
  points: readonly Float64Array[],
  inside: (time: number) => Float64Array,
): [number, number][] {
  const seen = points.map((x) => switches.at(x));
  const times = points.map((x) => x[0] ?? 0);
  const begin = times[0] ?? 0;
  const end = times[times.length - 1] ?? 0;
  const direction = Math.sign(end - begin);
  const steps = seen.slice(1).map((after, k) => after.map((x, i) => Math.abs(x - (seen[k]?.[i] ?? 0))));
  if (steps.flat().reduce((sum, x) => sum + x, 0) <= 1) return [];
  const found = steps
    .flatMap((moved, k) => moved.flatMap((x, i) => (x > 0 ? [change(i, k)] : [])))
    .sort((a, b) => (a[0] - b[0]) * direction);
  const apart = Math.abs((found[found.length - 1]?.[1] ?? 0) - (found[0]?.[0] ?? 0));
  const rounding = ROUNDING * Math.max(Math.abs(begin), Math.abs(end));
  if (!(APART * rounding < apart && apart < MOSTLY * Math.abs(end - begin))) return [];
  const stops: [number, number][] = [];
  for (const [left, right] of found) {
    const clear = APART * rounding * direction;
    const previous = stops[stops.length - 1];
    if (previous !== undefined && (left - clear - previous[1]) * direction <= 0) previous[1] = right + clear;
    else stops.push([left - clear, right + clear]);
  }
  return stops.filter(([left, right]) => (left - begin) * direction > 0 && (end - right) * direction > 0);

  /** The neighbouring times between which a switch changes first behind one of the points. */
  function change(i: number, k: number): [number, number] {
    let left = times[k] ?? 0;
    let right = times[k + 1] ?? 0;
    for (;;) {
      const middle = 0.5 * (left + right);
      if (!((middle - left) * direction > 0 && (right - middle) * direction > 0)) return [left, right];
      if (switches.at(inside(middle))[i] === seen[k]?.[i]) left = middle;
      else right = middle;
    }
  }
}
