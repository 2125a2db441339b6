/**
 * The start for other numbers, followed from the nominal one in small strides, as `grashof.program.open_program.OpenProgram.assemble` does it.
 *
 * Where the straight way from the nominal numbers does not get there, the way from the last ones that did is tried.
 */

import { ATTEMPTS, CONTRACTS, ITERATIONS, LAUNCHED, LONGEST, PLACED, SETTLED, STRIDE } from "./data";
import type { Block, Function, Machine } from "./machine";

/** A state [t, q, v, e] and the coefficients for which it is the start. */
export interface Start {
  readonly values: Float64Array;
  readonly x: Float64Array;
  readonly c: Float64Array;
  readonly mass: number;
  /** What couplings keep. */
  readonly kept: Float64Array;
  /** Points, then centres of mass, in the axes of their bodies. */
  readonly drawn: Float64Array;
}

export class Starts {
  private readonly set: (values: ArrayLike<number>, kept: ArrayLike<number>) => Float64Array;
  private readonly place: Function;
  private readonly keep: Function;
  private readonly launch: Function;
  private readonly c: Block;
  private last: Start | null = null;

  constructor(private readonly machine: Machine) {
    const { layout, numbers } = machine.data;
    const point = 1 + 2 * layout.n + layout.extra;
    const inputs = numbers.length + layout.kept;
    const p = machine.allocate(inputs);
    const early = machine.allocate(layout.count + 2 * layout.n + 1 + layout.drawn);
    const setup = machine.native("setup");
    this.c = machine.allocate(layout.count + layout.pull);
    this.set = (values, kept) => {
      p.numbers.set(Array.from(values));
      p.numbers.set(Array.from(kept), numbers.length);
      setup(p.at, 0, early.at);
      this.c.numbers.set(early.numbers.subarray(0, layout.count));
      return early.numbers;
    };
    this.place = machine.function("place", point, layout.n + layout.extra + 3);
    this.keep = machine.function("keep", point, layout.kept);
    this.launch = machine.function("launch", point, layout.n + 1);
  }

  /** The start; null if it cannot be put together on the branch of the nominal one. */
  at(values: ArrayLike<number>): Start | null {
    const { numbers } = this.machine.data;
    const target = Float64Array.from(values);
    if (!target.every(Number.isFinite)) return null;
    const nominal = Float64Array.from(numbers, (number) => number.value);
    const found = this.from(nominal, this.posed(nominal), target) ?? this.fromLast(target);
    if (found !== null) this.last = found;
    return found;
  }

  /** The coefficients for other values that couplings keep. */
  coefficients(values: ArrayLike<number>, kept: ArrayLike<number>): Float64Array {
    this.set(values, kept);
    return this.c.numbers.slice(0, this.machine.data.layout.count);
  }

  private fromLast(target: Float64Array): Start | null {
    return this.last === null ? null : this.from(this.last.values, this.last.x, target);
  }

  /** The nominal positions. */
  private posed(nominal: Float64Array): Float64Array {
    const { layout, start } = this.machine.data;
    const early = this.set(nominal, start.kept);
    const x = new Float64Array(1 + 2 * layout.n + layout.extra);
    x[0] = start.time;
    x.set(early.subarray(layout.count + layout.n, layout.count + 2 * layout.n), 1);
    x.set(start.extra, 1 + 2 * layout.n);
    return x;
  }

  private from(base: Float64Array, begin: Float64Array, target: Float64Array): Start | null {
    const { numbers } = this.machine.data;
    let far = 0;
    numbers.forEach((number, i) => {
      far = Math.max(far, Math.abs((target[i] ?? 0) - (base[i] ?? 0)) / (STRIDE * number.scale));
    });
    const strides = Math.min(Math.max(Math.ceil(far), 1), LONGEST);
    for (const attempt of ATTEMPTS) {
      const found = this.followed(base, begin, target, strides * attempt);
      if (found !== null) return found;
    }
    return null;
  }

  private followed(base: Float64Array, begin: Float64Array, target: Float64Array, count: number): Start | null {
    const { layout, start, settings } = this.machine.data;
    const { n, extra } = layout;
    const x = Float64Array.from(begin);
    const guess = this.set(base, start.kept).slice(layout.count, layout.count + n);
    const there = new Float64Array(target.length);
    let missed = 0;
    for (let k = 1; k <= count; k++) {
      for (let i = 0; i < there.length; i++) there[i] = (base[i] ?? 0) + ((target[i] ?? 0) - (base[i] ?? 0)) * (k / count);
      const ahead = this.set(there, start.kept).subarray(layout.count, layout.count + n);
      for (let i = 0; i < n; i++) {
        x[1 + i] = (x[1 + i] ?? 0) + ((ahead[i] ?? 0) - (guess[i] ?? 0));
        guess[i] = ahead[i] ?? 0;
      }
      x.fill(0, 1 + n, 1 + 2 * n);
      for (let j = 0; j < (k < count ? 1 : ITERATIONS); j++) {
        const found = this.place(x, this.c);
        x.set(found.subarray(0, n), 1);
        x.set(found.subarray(n, n + extra), 1 + 2 * n);
        const [last, before, left] = found.subarray(n + extra);
        missed = left ?? Infinity;
        if (!((last ?? Infinity) <= Math.max(CONTRACTS ** 2 * (before ?? 0), (SETTLED * settings.length) ** 2))) return null;
      }
    }
    if (!(missed <= (PLACED * settings.length) ** 2)) return null;
    for (const i of start.wrapped) {
      const at = 1 + 2 * n + i;
      x[at] = (x[at] ?? 0) - 2 * Math.PI * Math.round((x[at] ?? 0) / (2 * Math.PI));
    }
    const kept = this.keep(x, this.c).slice();
    const early = this.set(target, kept);
    const mass = early[layout.count + 2 * n] ?? 1;
    const drawn = early.slice(layout.count + 2 * n + 1);
    for (const [angle, k] of start.integrated) x[1 + 2 * n + angle] = kept[k] ?? 0;
    let moved = 0;
    for (let j = 0; j < ITERATIONS; j++) {
      const found = this.launch(x, this.c);
      x.set(found.subarray(0, n), 1 + n);
      moved = found[n] ?? Infinity;
    }
    const speed = x.subarray(1 + n, 1 + 2 * n).reduce((most, v) => Math.max(most, Math.abs(v)), 0);
    if (!(moved <= (LAUNCHED * speed) ** 2) || !x.every(Number.isFinite)) return null;
    return { values: target, x, c: this.c.numbers.slice(0, layout.count), mass, kept, drawn };
  }
}
