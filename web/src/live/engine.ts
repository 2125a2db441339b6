/**
 * A live mechanism: Python's integrator, as WebAssembly, without any page around it.
 *
 *     const engine = await Engine.load(data);        // data: made by `grashof.live.live_data`
 *     engine.restart([0.3, 1.5]);                    // other numbers, in the order of `engine.numbers`
 *     const outcome = engine.advance(0.1);           // forwards or backwards to this time
 *     engine.poses();                                // where the bodies are then
 *
 * Two runs with step tolerances a factor apart go side by side, as in `grashof.simulate`: their difference estimates the error over the whole run. Where it exceeds
 * the tolerance, both are made again with finer steps; if that does not help, the outcome says so.
 */

import { Balance } from "./balance";
import { CHECKED, type LiveBody, type LiveData, type LiveMotor, type LiveNumber, type Observed } from "./data";
import { type Block, type Function, Machine } from "./machine";
import { Frames } from "./poses";
import { type Start, Starts } from "./starts";
import { Track, type Trouble } from "./track";

export type { LiveBody, LiveData, LiveMotor, LiveNumber, Observed } from "./data";

/** What became of a call. */
export interface Outcome {
  /** Whether the time was reached, and the motion can be believed. */
  readonly ok: boolean;
  /** Whether the time was reached; if not, the state is that at `time`. */
  readonly reached: boolean;
  /** SUCCESS, or a code of `grashof.common.status`; or ATTENTION, NOT_ASSEMBLED, OUTSIDE_BOUNDS, END_OF_LAWS. */
  readonly code: string;
  /** The same in words, for people. */
  readonly sentence: string;
  /** The time of the state, s. */
  readonly time: number;
}

/** Runs with finer steps, at most, until the estimated error is within the tolerance; and their steps, so that a page does not stand still. */
const ROUNDS = 3;
const DEAR = 20_000;

/** The damping of a pull, relative to what would just not let the heaviest part of the mechanism swing. */
const DAMPED = 0.5;

/** rad, or lengths of the mechanism, that a motor is moved by at once; how often the joints are closed again then, and what they may miss by, in lengths. */
const TURN = 0.02;
const FOLLOWED = 3;
const CLOSED = 1e-9;

export class Engine {
  readonly name: string;
  readonly numbers: readonly LiveNumber[];
  readonly observed: readonly Observed[];
  readonly bodies: readonly LiveBody[];
  readonly motors: readonly LiveMotor[];
  readonly notes: readonly string[];

  private readonly starts: Starts | null;
  private readonly c: Block;
  private readonly fine: Track;
  private readonly coarse: Track;
  private readonly frames: Frames;
  private readonly framesOf: Function;
  private readonly observe: Function;
  private readonly balance: Balance;
  private readonly point: number;

  private start!: Start;
  /** The state [t, q, v, e] at the present time. */
  private x: Float64Array;
  /** Where the present runs began: at the start, or at the last change. */
  private origin: Float64Array;
  private direction = 1;
  private stepTol: number;
  private estimate = 0;
  private doubt: { code: string; time: number } | null = null;
  private kept = new Float64Array(0);
  private works = new Float64Array(0);
  private grip: { body: number; at: [number, number, number] } | null = null;

  private constructor(private readonly machine: Machine) {
    const { data } = machine;
    const { layout } = data;
    this.name = data.name;
    this.numbers = data.numbers;
    this.observed = data.observed;
    this.bodies = data.bodies;
    this.motors = data.motors;
    this.notes = data.notes;
    this.point = 1 + 2 * layout.n + layout.extra;
    this.c = machine.allocate(layout.count + layout.pull);
    this.starts = machine.has("place") ? new Starts(machine) : null;
    this.fine = new Track(machine, this.c);
    this.coarse = new Track(machine, this.c);
    this.frames = new Frames(data.bodies, data.dimension);
    this.framesOf = machine.function("frames", this.point, this.frames.size);
    this.observe = machine.function("observe", this.point, data.observed.length + CHECKED);
    this.balance = new Balance(data.settings.imbalance);
    this.stepTol = data.settings.stepTol;
    this.x = new Float64Array(this.point);
    this.origin = this.x;
  }

  /** Makes the engine of a mechanism, at its nominal start. */
  static async load(data: LiveData): Promise<Engine> {
    const engine = new Engine(await Machine.load(data));
    const outcome = engine.restart(data.numbers.map((number) => number.value));
    if (!outcome.ok) throw new Error(outcome.sentence);
    return engine;
  }

  /** The present time, s. */
  get time(): number {
    return this.x[0] ?? 0;
  }

  /** The estimated error since the start or the last change, relative to the mechanism's length, speed and energy. */
  get error(): number {
    return this.estimate;
  }

  /** The numbers of the present motion. */
  get values(): Float64Array {
    return this.start.values.slice();
  }

  /** A mass with which mass·speed² is a kinetic energy of the mechanism, kg. */
  get mass(): number {
    return this.start.mass;
  }

  /** All points, then the centres of mass, in the axes of their bodies, for the present numbers; empty if no numbers are open. */
  get drawn(): Float64Array {
    return this.start.drawn;
  }

  /** What was done since the start or the last change. */
  get work(): { steps: number; evaluations: number } {
    return { steps: this.fine.steps, evaluations: this.fine.evaluations + this.coarse.evaluations };
  }

  /** Puts the mechanism together with these numbers, and begins anew; where that cannot be, everything stays as it is. */
  restart(values: ArrayLike<number>): Outcome {
    const { data } = this.machine;
    const outside = this.outside(values);
    if (outside !== null) return this.outcome(false, "OUTSIDE_BOUNDS", this.time, outside);
    let start: Start | null;
    if (this.starts === null) {
      const x = Float64Array.from([data.start.time, ...data.start.state]);
      const none = new Float64Array(0);
      start = { values: none, x, c: none, mass: data.settings.mass, kept: none, drawn: none };
    } else start = this.starts.at(values);
    if (start === null) return this.outcome(false, "NOT_ASSEMBLED", this.time);
    this.start = start;
    this.kept = start.kept.slice();
    this.c.numbers.fill(0);
    this.c.numbers.set(start.c);
    this.grip = null;
    this.direction = 1;
    this.doubt = null;
    this.stepTol = data.settings.stepTol;
    this.begin(start.x);
    const seen = this.observe(this.x, this.c);
    this.works = seen.slice(0, data.observed.length);
    return this.outcome(true, "SUCCESS", this.time);
  }

  /** Integrates to a time, forwards or backwards. */
  advance(to: number): Outcome {
    const { earliest, latest } = this.machine.data.settings;
    const beyond = (earliest !== null && to < earliest) || (latest !== null && to > latest);
    const end = beyond ? Math.min(Math.max(to, earliest ?? to), latest ?? to) : to;
    if (!Number.isFinite(end)) return this.outcome(false, "NOT_FINITE", this.time);
    if (end !== this.time) {
      const direction = end > this.time ? 1 : -1;
      if (direction !== this.direction) {
        this.direction = direction;
        this.begin(this.x);
      }
      const trouble = this.run(end);
      if (trouble !== null) return this.outcome(false, trouble, this.time);
    }
    if (beyond) return this.outcome(false, "END_OF_LAWS", this.time);
    return this.doubt === null ? this.outcome(true, "SUCCESS", this.time) : this.outcome(true, this.doubt.code, this.doubt.time);
  }

  /** For each body in turn, ground excluded: x, y, z (m), qw, qx, qy, qz of its own axes in those of the world. */
  poses(): Float64Array {
    return this.frames.poses(this.framesOf(this.x, this.c));
  }

  /** Where a point of a body is, m. */
  place(body: number, at: [number, number, number]): [number, number, number] {
    return this.frames.point(this.framesOf(this.x, this.c), body, at);
  }

  /** The observed quantities at the present time. */
  quantities(): Float64Array {
    const found = this.observe(this.x, this.c).slice(0, this.observed.length);
    this.observed.forEach((quantity, i) => {
      if (quantity.fromStart) found[i] = (found[i] ?? 0) - (this.works[i] ?? 0);
    });
    return found;
  }

  /**
   * Pulls at a point of a body, given in its own axes, with a spring of this stiffness (N/m) and some damping towards a target (m); lets go if there is none.
   * The pull is part of the motion from the present time on.
   */
  pull(body: number, at: [number, number, number], target: [number, number, number] | null, stiffness: number): void {
    const { layout, dimension } = this.machine.data;
    const pull = this.c.numbers.subarray(layout.count);
    if (target === null) {
      pull.fill(0);
      this.grip = null;
    } else {
      if (this.grip === null || this.grip.body !== body || this.grip.at.some((x, i) => x !== at[i])) this.hold(body, at);
      pull[0] = stiffness;
      pull[1] = 2 * DAMPED * Math.sqrt(stiffness * Math.max(this.start.mass, 0));
      pull.set(target.slice(0, dimension), 2);
    }
    this.begin(this.x);
  }

  /**
   * Moves what a motor of given speed holds by an angle (rad) or a distance (m), as a hand on its shaft does: the mechanism follows in small strides, at the
   * present time. Where the joints cannot follow, everything stays as it is.
   */
  drive(motor: number, by: number): Outcome {
    const { data } = this.machine;
    const found = data.motors[motor];
    if (found === undefined || this.starts === null) throw new Error(`there is no motor ${motor} that can be moved`);
    const { length } = data.settings;
    const stride = found.unit === "rad" ? TURN : TURN * length;
    const count = Math.max(1, Math.ceil(Math.abs(by) / stride));
    const kept = this.kept.slice();
    const before = this.c.numbers.slice(0, data.layout.count);
    let x = this.x;
    for (let k = 0; k < count; k++) {
      kept[found.kept] = (kept[found.kept] ?? 0) + by / count;
      if (found.integrated >= 0) {
        const at = 1 + 2 * data.layout.n + found.integrated;
        x = Float64Array.from(x);
        x[at] = (x[at] ?? 0) + by / count;
      }
      this.c.numbers.set(this.starts.coefficients(this.start.values, kept));
      let left = Infinity;
      for (let round = 0; round < FOLLOWED; round++) ({ x, left } = this.fine.projected(x));
      if (!(left <= (CLOSED * length) ** 2) || !x.every(Number.isFinite)) {
        this.c.numbers.set(before);
        return this.outcome(false, "CONSTRAINTS_UNMET", this.time);
      }
    }
    this.kept = kept;
    this.begin(x);
    return this.outcome(true, "SUCCESS", this.time);
  }

  /** What a point of a body is in the coordinates: P = A q + b. */
  private hold(body: number, at: [number, number, number]): void {
    const { layout, dimension } = this.machine.data;
    const pull = this.c.numbers.subarray(layout.count);
    const x = new Float64Array(this.point);
    const where = (): number[] => this.frames.point(this.framesOf(x, this.c), body, at).slice(0, dimension);
    const begin = where();
    pull.set(begin, 2 + dimension);
    for (let j = 0; j < layout.n; j++) {
      x[1 + j] = 1;
      where().forEach((p, i) => (pull[2 + 2 * dimension + i * layout.n + j] = p - (begin[i] ?? 0)));
      x[1 + j] = 0;
    }
    this.grip = { body, at };
  }

  /** Begins both runs at a state. */
  private begin(x: Float64Array): void {
    const { settings } = this.machine.data;
    this.x = Float64Array.from(x);
    this.origin = this.x;
    this.estimate = 0;
    const round = Math.round(Math.log(settings.stepTol / this.stepTol) / Math.log(settings.coarser));
    let scale = 1;
    for (let k = 0; k < round; k++) scale /= settings.longer;
    this.fine.begin(x, this.direction, this.stepTol, this.start.mass, scale, 2 + round);
    this.coarse.begin(x, this.direction, settings.coarser * this.stepTol, this.start.mass, settings.longer * scale, 1 + round);
    this.balance.begin(this.checked(this.x));
  }

  /** Goes on to a time; what is in the way, if anything. */
  private run(to: number): Trouble | null {
    const { tol, finest, coarser } = this.machine.data.settings;
    for (let round = 0; ; round++) {
      const trouble = this.fine.advance(to);
      if (trouble !== null) {
        const reached = this.fine.reached;
        if ((reached - this.time) * this.direction > 0) this.x = this.fine.at(reached);
        return trouble;
      }
      this.x = this.fine.at(to);
      if (!this.x.every(Number.isFinite)) return "NOT_FINITE";
      const failed = this.coarse.advance(to);
      this.estimate = failed === null ? this.difference(this.x, this.coarse.at(to)) : Infinity;
      if (this.estimate <= tol) break;
      if (round === ROUNDS || this.doubt !== null || this.fine.steps > DEAR || this.stepTol / coarser < finest) {
        this.doubt ??= { code: "TOLERANCE_UNMET", time: to };
        break;
      }
      this.stepTol /= coarser;
      this.begin(this.origin);
    }
    if (this.grip === null) {
      const code = this.balance.judge(this.checked(this.x));
      if (code !== null) this.doubt ??= { code, time: to };
    }
    return null;
  }

  /** The estimated error of a state, by one of the coarser run. */
  private difference(fine: Float64Array, coarse: Float64Array): number {
    const { layout, settings } = this.machine.data;
    const energy = Math.max(this.fine.energy, 1e-300);
    const speed = Math.max(this.fine.speed, 1e-300);
    let most = 0;
    for (let i = 1; i < this.point; i++) {
      const scale =
        i <= layout.n ? settings.length : i <= 2 * layout.n ? speed : i >= this.point - layout.works ? energy : 1;
      most = Math.max(most, Math.abs((fine[i] ?? 0) - (coarse[i] ?? 0)) / scale);
    }
    return (settings.safety / settings.coarser) * most;
  }

  /** Kinetic and potential energy, work, and whether motors hold their angles. */
  private checked(x: Float64Array): Float64Array {
    return this.observe(x, this.c).slice(this.observed.length);
  }

  /** A sentence about the first number that is beyond its bounds. */
  private outside(values: ArrayLike<number>): string | null {
    for (const [i, number] of this.numbers.entries()) {
      const x = values[i] ?? NaN;
      if (Number.isFinite(x) && x >= (number.least ?? -Infinity) && x <= (number.most ?? Infinity)) continue;
      const bounds = [
        number.least === null ? "" : `at least ${number.least}`,
        number.most === null ? "" : `at most ${number.most}`,
      ].filter((text) => text !== "");
      return `${number.name} is ${x}; it must be ${bounds.length > 0 ? bounds.join(" and ") : "a number"}${number.unit && bounds.length > 0 ? ` ${number.unit}` : ""}.`;
    }
    return null;
  }

  private outcome(reached: boolean, code: string, time: number, sentence?: string): Outcome {
    const words = this.machine.data.statuses[code] ?? code;
    const at = `t = ${Number(time.toPrecision(6))} s`;
    const told =
      code === "SUCCESS"
        ? `At ${at}.`
        : code === "NOT_ASSEMBLED"
          ? `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
          : `${reached ? "Doubtful since" : "Stopped at"} ${at}: ${words}.`;
    return { ok: reached && code === "SUCCESS", reached, code, sentence: sentence ?? told, time };
  }
}
