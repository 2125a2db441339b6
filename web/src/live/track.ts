/**
 * One run: the time loop of `grashof.integrate` with its control block and workspaces.
 *
 * It takes whole steps, at most one beyond the time that is asked for, and gives the state inside the last one. All checks of runs in lanes are made
 * (`grashof.integrate.lanes.sides`), with a closer look where they are not certain: where a singular position may have been passed, the step is taken again with finer
 * tolerances, and if that does not help the run stops.
 */

import { FASTER, STUCK } from "./data";
import type { Block, Function, Machine, Native } from "./machine";
import { Surroundings } from "./surroundings";
import { changes, Switches } from "./switches";

/** Causes of rejections. */
const CAUSES = ["", "STEP_TOO_SMALL", "NOT_FINITE", "CONSTRAINTS_UNMET"];

/** Steps tried in one call of `advance`, at most. */
const MOST_STEPS = 200_000;

/** How much finer steps are made where a check does not pass, and how often. */
const FINER = 1e-2;
const RETRIES = 2;

/** States before the present one that are looked back at where a singular position may be near. */
const REMEMBERED = 60;

/** Never: a time behind all others, s. */
const FAR = 1e9;

/** Why a run does not go on: a code of an outcome. */
export type Trouble = string;

type Stop = readonly [number, number];

export class Track {
  private readonly control: Block;
  private readonly words: Int32Array;
  private readonly work: Block;
  private readonly past: Block;
  private readonly beginNative: Native;
  private readonly advanceNative: Native;
  private readonly lookNative: Native;
  private readonly insideNative: Native;
  private readonly project: Function;
  private readonly places: Record<string, number>;
  private readonly field: Record<string, number> = {};
  private readonly switches: Switches;
  private readonly surroundings: Surroundings | null;
  private readonly point: number;
  private states: Float64Array[] = [];
  private stops: Stop[] = [];
  private stepped = false;
  private direction = 1;
  private longest = FAR;
  private parts = 1;

  constructor(
    private readonly machine: Machine,
    private readonly c: Block,
  ) {
    const { layout } = machine.data;
    this.places = layout.workspace;
    this.point = 1 + 2 * layout.n + layout.extra;
    this.control = machine.allocate(layout.control.length);
    this.words = machine.words(this.control);
    layout.control.forEach((name, i) => (this.field[name] = i));
    this.work = machine.allocate(this.place("all"));
    this.past = machine.allocate(this.place("all"));
    this.beginNative = machine.native("begin");
    this.advanceNative = machine.native("advance");
    this.lookNative = machine.native("look");
    this.insideNative = machine.native("inside");
    this.project = machine.function("project", this.point, this.point);
    this.switches = new Switches(machine, c);
    this.surroundings = layout.pattern.length > 0 ? new Surroundings(machine, c) : null;
  }

  /**
   * Begins at a state [t, q, v, e] towards later or earlier times; `tolerance` is that of steps. The longest steps are multiplied by a scale, and between two
   * stops there are some steps at least: two runs with different numbers never take the same steps.
   */
  begin(x: ArrayLike<number>, direction: number, tolerance: number, mass: number, scale: number, parts: number): void {
    const { settings, layout } = this.machine.data;
    this.control.numbers.fill(0);
    this.work.numbers.fill(0);
    this.past.numbers.fill(0);
    for (const space of [this.work, this.past]) this.machine.words(space)[2 * this.place("coefficients")] = this.c.at;
    this.direction = direction;
    this.states = [];
    this.stops = settings.stops
      .map(([left, right]): Stop => (direction > 0 ? [left, right] : [right, left]))
      .filter(([left]) => (left - (x[0] ?? 0)) * direction > 0)
      .sort((a, b) => (a[0] - b[0]) * direction);
    this.set("span", settings.span);
    this.set("length", settings.length);
    this.set("mass", mass);
    this.longest = scale * (settings.longest ?? FAR);
    this.parts = parts;
    this.set("controlled", settings.controlled);
    this.set("attentive", settings.attentive ? 1 : 0);
    this.set("tolerance", tolerance);
    this.work.numbers.set(
      settings.weights.map((weight) => weight / tolerance),
      this.place("weights") + layout.n,
    );
    this.go(x);
  }

  /** The scales of speed and energy met so far. */
  get speed(): number {
    return this.get("speed");
  }

  get energy(): number {
    return this.get("energy");
  }

  get evaluations(): number {
    return this.get("evaluations");
  }

  get steps(): number {
    return this.get("steps");
  }

  /** The time of the last step's end, s. */
  get reached(): number {
    return this.work.numbers[this.place("start")] ?? 0;
  }

  /** Takes steps until a time is reached or passed; why not, if it cannot be. */
  advance(to: number): Trouble | null {
    let tried = 0;
    let retries = 0;
    while ((to - this.reached) * this.direction > 0) {
      if (tried++ > MOST_STEPS) return "TOO_MANY_STEPS";
      if (this.reached === this.get("t_end")) {
        this.pass();
        continue;
      }
      const steps = this.get("steps");
      this.set("pause", this.get("tried") + 1);
      this.advanceNative(this.control.at, this.work.at, this.past.at);
      const taken = this.get("steps") > steps;
      this.stepped ||= taken;
      if (this.get("state") === STUCK) {
        if (this.rescaled()) continue;
        return CAUSES[this.get("cause")] ?? "STEP_TOO_SMALL";
      }
      if (taken) this.remember();
      if (this.get("fallen") !== 0) this.lookNative(this.control.at, this.work.at);
      if ((this.get("fallen") !== 0 || this.get("event") !== 0) && !this.harmless()) {
        if (retries++ >= RETRIES) {
          this.back();
          return "ATTENTION";
        }
        this.retry();
        continue;
      }
      if (taken && this.divided()) continue;
      if (taken) retries = 0;
    }
    return null;
  }

  /** The state at a time within the last step, put on the constraints. */
  at(time: number): Float64Array {
    const { numbers } = this.work;
    const start = this.place("start");
    if (time === this.reached || !this.stepped) return numbers.slice(start, start + this.point);
    const begin = this.past.numbers[start] ?? 0;
    if (time === begin) return this.past.numbers.slice(start, start + this.point);
    this.insideNative(this.control.at, this.past.at, time);
    const inside = this.place("inside");
    return this.past.numbers.slice(inside, inside + this.point);
  }

  /** A state put on the constraints, and the violation that is left, m². */
  projected(x: ArrayLike<number>): { x: Float64Array; left: number } {
    const found = this.project(x, this.c);
    const projected = new Float64Array(this.point);
    projected[0] = x[0] ?? 0;
    projected.set(found.subarray(0, this.point - 1), 1);
    return { x: projected, left: found[this.point - 1] ?? Infinity };
  }

  private place(name: string): number {
    return this.places[name] ?? 0;
  }

  private get(name: string): number {
    const i = this.field[name] ?? 0;
    return this.machine.data.layout.whole.includes(name) ? (this.words[2 * i] ?? 0) : (this.control.numbers[i] ?? 0);
  }

  private set(name: string, value: number): void {
    const i = this.field[name] ?? 0;
    if (!this.machine.data.layout.whole.includes(name)) {
      this.control.numbers[i] = value;
      return;
    }
    this.words[2 * i] = value;
    this.words[2 * i + 1] = value < 0 ? -1 : 0;
  }

  /** Keeps the last states. */
  private remember(): void {
    if (this.surroundings === null) return;
    this.states.push(this.stateAt(this.work, "start"));
    if (this.states.length > REMEMBERED) this.states.shift();
  }

  /** A closer look: whether the last step neither passed a singular position nor comes near one, so that the run may go on. */
  private harmless(): boolean {
    if (this.surroundings === null) return false;
    const [before, after] = [this.stateAt(this.past, "start"), this.stateAt(this.past, "end")];
    const inside = (time: number): Float64Array => this.at(time);
    if (this.get("event") !== 0 && (this.surroundings.changed(before, after, inside) || this.surroundings.turnsNear(before, after, inside))) return false;
    if (this.get("fallen") !== 0 && this.surroundings.approached(this.states)) return false;
    this.set("event", 0);
    this.set("fallen", 0);
    this.set("usual", this.get("size"));
    return true;
  }

  private stateAt(space: Block, name: string): Float64Array {
    const at = this.place(name);
    return space.numbers.slice(at, at + this.point);
  }

  /** Goes on from a state as a run that begins does, to the next stop. */
  private go(x: ArrayLike<number>, size = 0): void {
    this.work.numbers.set(Array.from(x).slice(0, this.point), this.place("start"));
    for (const name of ["hold", "fallen", "event", "state"]) this.set(name, 0);
    this.set("usual", 0);
    this.set("size", size);
    this.set("t_end", this.stops[0]?.[0] ?? this.direction * FAR);
    this.set("longest", Math.min(this.longest, Math.abs(this.get("t_end") - (x[0] ?? 0)) / this.parts));
    this.stepped = false;
    this.beginNative(this.control.at, this.work.at);
  }

  /** Goes on behind a stop. */
  private pass(): void {
    const [, behind] = this.stops.shift() ?? [0, this.reached];
    const x = this.at(this.reached);
    x[0] = behind;
    this.go(x);
  }

  /** Back to the beginning of the last step. */
  private back(): void {
    if (!this.stepped) return;
    this.states.pop();
    this.go(this.stateAt(this.past, "start"));
  }

  private retry(): void {
    const { layout } = this.machine.data;
    const tolerance = FINER * this.get("tolerance");
    if (tolerance >= this.machine.data.settings.finest) {
      this.set("tolerance", tolerance);
      const rates = this.place("weights") + layout.n;
      for (let i = 0; i < layout.extra - layout.works; i++) this.work.numbers[rates + i] = (this.work.numbers[rates + i] ?? 0) / FINER;
    }
    const speed = this.get("speed");
    this.back();
    this.set("speed", Math.max(speed, this.get("speed")));
  }

  /** A step in which two expressions change that depend on the motion may have missed what acts only in between: it is taken again, with stops. */
  private divided(): boolean {
    if (this.switches.count === 0) return false;
    const [before, after] = [this.stateAt(this.past, "start"), this.stateAt(this.past, "end")];
    const parts = this.machine.data.layout.looked;
    const h = (after[0] ?? 0) - (before[0] ?? 0);
    const between = Array.from({ length: parts }, (_, k) => this.at((before[0] ?? 0) + (h * (k + 1)) / (parts + 1)));
    const found = changes(this.switches, [before, ...between, after], (time) => this.at(time));
    if (found.length === 0) return false;
    this.stops = [...found, ...this.stops];
    this.states.pop();
    this.go(before);
    return true;
  }

  /** Whether a run that is stuck goes on with a larger scale of speed: one that began at rest may not have known it. */
  private rescaled(): boolean {
    const { layout } = this.machine.data;
    if (this.get("cause") !== 1) return false;
    const slopes = this.work.numbers.subarray(this.place("slopes"));
    let steepest = 0;
    for (let s = 0; s < layout.stages; s++)
      for (let i = 0; i < layout.n; i++) steepest = Math.max(steepest, Math.abs(slopes[s * layout.slope + i] ?? 0));
    const speed = Math.sqrt(this.get("length") * steepest);
    if (!(FASTER * this.get("speed") < speed && speed < Infinity)) return false;
    this.set("speed", speed);
    this.go(this.stateAt(this.work, "start"));
    return true;
  }
}
