/**
 * A live mechanism: Python's integrator, as WebAssembly, without any page around it.
 *
 *     const engine = await Engine.load(data);        // data: made by `grashof.live.live_data`
 *     engine.restart([0.3, 1.5]);                    // other numbers, in the order of `engine.numbers`
 *     const outcome = engine.advance(0.1);           // forwards or backwards to this time
 *     engine.poses();                                // where the bodies are then
 *
 * What it computes is written in Python (`grashof.live.session`).
 */

import type { LiveData, LiveMotor, LiveNumber, Observed } from "./data";
import { Machine } from "./machine";

export type { LiveData, LiveMotor, LiveNumber, Observed } from "./data";

/** What became of a call. */
export interface Outcome {
  /** Whether the time was reached, and the motion can be believed. */
  readonly ok: boolean;
  /** Whether the time was reached; if not, the state is that at `time`. */
  readonly reached: boolean;
  /** SUCCESS, or a code of `grashof.status`; or ATTENTION, NOT_ASSEMBLED, OUTSIDE_BOUNDS, END_OF_LAWS. */
  readonly code: string;
  /** The same in words, for people. */
  readonly sentence: string;
  /** The time of the state, s. */
  readonly time: number;
}

type Vector = [number, number, number];

export class Engine {
  readonly name: string;
  readonly numbers: readonly LiveNumber[];
  readonly observed: readonly Observed[];
  readonly bodies: readonly string[];
  readonly motors: readonly LiveMotor[];
  readonly notes: readonly string[];

  private constructor(private readonly machine: Machine) {
    const { data } = machine;
    this.name = data.name;
    this.numbers = data.numbers;
    this.observed = data.observed;
    this.bodies = data.bodies;
    this.motors = data.motors;
    this.notes = data.notes;
  }

  /** The engine of a mechanism, at its nominal start. */
  static async load(data: LiveData): Promise<Engine> {
    const engine = new Engine(await Machine.load(data));
    const outcome = engine.restart(data.numbers.map((number) => number.value));
    if (!outcome.ok) throw new Error(outcome.sentence);
    return engine;
  }

  /** The present time, s. */
  get time(): number {
    return this.read("x");
  }

  /** The estimated error since the start or the last change, relative to the mechanism's length, speed and energy. */
  get error(): number {
    return this.read("estimate");
  }

  /** The numbers of the present motion. */
  get values(): Float64Array {
    return this.machine.numbers("numbers").slice();
  }

  /** A mass with which mass·speed² is a kinetic energy of the mechanism, kg. */
  get mass(): number {
    return this.read("mass");
  }

  /** All points, then the centres of mass, in the axes of their bodies, for the present numbers; empty if no numbers are open. */
  get drawn(): Float64Array {
    return this.machine.numbers("drawn").slice();
  }

  /** Puts the mechanism together with these numbers, and begins anew; where that cannot be, everything stays as it is. */
  restart(values: ArrayLike<number>): Outcome {
    const outside = this.outside(values);
    if (outside !== null) return this.outcome(false, "OUTSIDE_BOUNDS", this.time, outside);
    this.machine.numbers("values").set(Array.from(values).slice(0, this.numbers.length));
    this.machine.call("restart");
    return this.outcome(this.code === "SUCCESS", this.code, this.time);
  }

  /** Integrates to a time, forwards or backwards. */
  advance(to: number): Outcome {
    this.machine.call("run_to", to);
    if (this.code !== "SUCCESS") return this.outcome(false, this.code, this.time);
    const doubt = this.codeOf("doubt");
    return this.outcome(true, doubt, doubt === "SUCCESS" ? this.time : this.read("doubtful"));
  }

  /** For each body in turn, ground excluded: x, y, z (m), qw, qx, qy, qz of its own axes in those of the world. */
  poses(): Float64Array {
    this.machine.call("pose");
    return this.machine.numbers("poses").slice();
  }

  /** The observed quantities at the present time. */
  quantities(): Float64Array {
    const found = this.machine.evaluate("observe", "x", "observed").slice(0, this.observed.length);
    const begun = this.machine.numbers("works");
    return found.map((x, i) => (this.observed[i]?.fromStart ? x - (begun[i] ?? 0) : x));
  }

  /**
   * Pulls at a point of a body, given in its own axes, with a spring of this stiffness (N/m) and some damping towards a target (m); lets go if there is none.
   * The pull is part of the motion from the present time on.
   */
  pull(body: number, at: Vector, target: Vector | null, stiffness: number): void {
    if (target === null) this.machine.call("release");
    else {
      const goal = this.machine.numbers("target");
      this.machine.numbers("own").set(at);
      goal.set(target.slice(0, goal.length));
      this.machine.call("pull", body, stiffness);
    }
  }

  /**
   * Moves what a motor of given speed holds by an angle (rad) or a distance (m), as a hand on its shaft does: the mechanism follows in small strides, at the
   * present time. Where the joints cannot follow, everything stays as it is.
   */
  drive(motor: number, by: number): Outcome {
    const found = this.motors[motor];
    if (found === undefined) throw new Error(`there is no motor ${motor} that can be moved`);
    const strides = Math.max(1, Math.ceil(Math.abs(by) / found.stride));
    this.machine.call("turn_motor", found.kept, found.integrated, by, strides);
    return this.outcome(this.code === "SUCCESS", this.code, this.time);
  }

  private read(name: string): number {
    return this.machine.numbers(name)[0] ?? 0;
  }

  private get code(): string {
    return this.codeOf("code");
  }

  private codeOf(name: string): string {
    return this.machine.data.codes[this.read(name)] ?? "NOT_FINITE";
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
