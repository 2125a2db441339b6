/** A run, step by step: DOP853 with the error control of its Fortran program, and a return to the constraints after each step. */
import { Span, dot, orientation, orthonormal } from "../kinematics/rows";
import { Walk } from "../kinematics/walk";
import { ERRORS, NODES, type Row, STAGES } from "../shared";
import type { Machine, State } from "./machine";

/**
 * The shortest step, as a part of the time between two frames, and the way in it, as a part of the size of a link: what turns
 * within less turns because of rounding, where two branches meet.
 */
const SHORTEST = 1e-3;
const NARROW = 1e-5;

/** A time that is reached within this part of the time between two frames. */
const REACHED = 1e-9;

/** Misses of the equations that are accepted, as a part of the size of a link, and how often they are corrected. */
const CLOSED = 1e-12;
const ROUNDS = 6;

export interface Frame extends State {
  readonly a: Float64Array;
  /** Factors λ of the rows. */
  readonly factors: Float64Array;
}

/** How a run ended. */
export interface Ending {
  readonly ok: boolean;
  readonly sentence: string;
}

/** The part of a step, and of a speed, that the return to the constraints may be: where branches meet it would lead to another. */
const RETURN = 1e-4;

/** The way over a singular position, as a part of the size of a link, and how much of it, and of the speed, may be corrected. */
const LEAP = 0.02;
const BENT = 0.1;

/** Speeds beyond this multiple of what a motor gives its link are those before a dead centre, where they have no bound. */
const FAST = 30;

/** A position with what tells branches apart: independent rows and directions that turn continuously. */
interface Standing extends State {
  readonly rows: readonly number[];
  readonly tangent: readonly Float64Array[];
  readonly sign: number;
}

/** Simulates until a time; gives frames at equal distances, and at the end how it ended. */
export function* simulated(machine: Machine, end: number, frames: number, tolerance: number): Generator<Frame, Ending> {
  const { linkage } = machine;
  const closed = new Walk(linkage).begin();
  if (closed === null) return { ok: false, sentence: "The links do not fit together." };
  const v = machine.velocities(closed.q, 0);
  if (v === null) return massless;
  let now = standing(machine, { t: 0, q: closed.q, v }, null);
  if (now === null) return massless;
  const pace = end / frames;
  const shown = (state: State): Frame | null => {
    const found = machine.accelerations(state);
    return found && { ...state, a: found.a, factors: found.factors() };
  };
  const first = shown(now);
  if (first === null) return massless;
  yield first;
  let h = pace / 10;
  for (let k = 1; k <= frames; k++) {
    const goal = k * pace;
    while (goal - now.t > REACHED * pace) {
      const step: number = Math.min(h, goal - now.t);
      const [next, factor] = stepped(machine, now, step, tolerance);
      if (next === null) {
        h = step * factor;
        if (h >= Math.min(SHORTEST * pace, (NARROW * linkage.size) / (largest(now.v) || 1))) continue;
        const over = leapt(machine, now);
        if (over === null) return { ok: false, sentence: stuck(machine, now) };
        [now, h] = [over, pace / 10];
        continue;
      }
      // a step that was cut for a frame says little about the next
      h = step < h ? Math.max(h, step * factor) : step * factor;
      now = next;
    }
    if (now.t < goal - pace / 2) continue;
    const frame = shown(now);
    if (frame === null) return massless;
    yield frame;
  }
  return { ok: true, sentence: `Finished at t = ${Number(end.toPrecision(6))} s.` };
}

const massless: Ending = { ok: false, sentence: "It cannot be simulated: something that can move has no mass." };

function stuck(machine: Machine, { t, v }: Standing): string {
  const at = `The run stops at t = ${Number(t.toPrecision(4))} s`;
  if (machine.linkage.sketch.motors.length > 0 && largest(v) > FAST * driven(machine)) return `${at}: the motor cannot turn the linkage any further, because it is at a dead centre.`;
  return `${at}: the linkage comes to a singular position, which the solver of this page does not cross. Grashof in Python does.`;
}

/** Straight on over a singular position, where nothing but motors moves: its positions are those of the equations, on whichever branch. */
function leapt(machine: Machine, from: Standing): Standing | null {
  const { linkage } = machine;
  const fastest = largest(from.v);
  if (from.tangent.length > 0 || !(fastest < FAST * driven(machine))) return null;
  const h = (LEAP * linkage.size) / fastest;
  const state = { t: from.t + h, q: from.q.map((x, i) => x + h * from.v[i]!), v: from.v };
  return standing(machine, state, from, true);
}

/** The speed that motors give to links of a typical size. */
const driven = ({ linkage }: Machine): number => linkage.sketch.motors.reduce((most, { speed }) => Math.max(most, Math.abs(speed)), 0) * linkage.size;

/** A step, or null if it is too long; and by how much the next should be longer. */
function stepped(machine: Machine, from: Standing, h: number, tolerance: number): readonly [Standing | null, number] {
  const { linkage } = machine;
  const [moves, pushes]: [Float64Array[], Float64Array[]] = [[], []];
  let state: State = from;
  for (let s = 0; s < STAGES.length; s++) {
    if (s > 0) state = { t: from.t + NODES[s]! * h, q: summed(from.q, moves, STAGES[s]!, h), v: summed(from.v, pushes, STAGES[s]!, h) };
    if (s === STAGES.length - 1) break;
    const found = machine.accelerations(state);
    if (found === null) return [null, 0.3];
    moves.push(state.v);
    pushes.push(found.a);
  }
  const fastest = Math.max(largest(from.v), largest(state.v), h * largest(pushes[0]!));
  const errors = ERRORS.map((row) => {
    const [q, v] = [summed(null, moves, row, h), summed(null, pushes, row, h)];
    return (dot(q, q) / linkage.size ** 2 + dot(v, v) / (fastest ** 2 || 1)) / (2 * q.length || 1);
  });
  const [fifth, third] = errors as [number, number];
  const error = fifth === 0 ? 0 : fifth / Math.sqrt(fifth + 0.01 * third) / tolerance;
  if (!(error <= 1)) return [null, Math.max(0.2, 0.9 * error ** -0.125) || 0.2];
  const next = standing(machine, state, from);
  return next === null ? [null, 0.5] : [next, Math.min(5, 0.9 * Math.max(error, 1e-9) ** -0.125)];
}

/** Returns to the constraints; null if that is far, or if it leads to another branch. */
function standing(machine: Machine, state: State, before: Standing | null, leaps = false): Standing | null {
  const { linkage } = machine;
  const { t } = state;
  let { q } = state;
  let span = new Span(linkage.rows(q, t));
  const far = before === null ? Infinity : (leaps ? BENT : RETURN) * Math.max(largest(q.map((x, i) => x - before.q[i]!)), 1e-9 * linkage.size);
  for (let round = 0; ; round++) {
    const missed = linkage.miss(q, t);
    if (!(largest(missed) < far) || round === ROUNDS) return null;
    if (largest(missed) <= CLOSED * linkage.size) break;
    q = linkage.stepped(q, span.solve(missed.map((x) => -x)));
    span = new Span(linkage.rows(q, t));
  }
  const rows = linkage.rows(q, t);
  const rate = linkage.rates(q, t).map((x, row) => x + speed(rows.entries.subarray(row * rows.width, (row + 1) * rows.width), state.v, linkage.unknown));
  const back = machine.widened(span.solve(rate));
  const v = state.v.map((x, i) => x - back[i]!);
  if (before !== null && largest(back) > (leaps ? BENT : RETURN) * largest(v)) return null;
  const tangent = before === null ? span.nullSpace() : orthonormal(before.tangent.map((direction) => span.project(direction)));
  if (before !== null && (span.rank !== before.rows.length || tangent.length !== before.tangent.length)) return null;
  const chosen = before?.rows ?? span.chosen;
  const square = [...chosen.map((row) => rows.entries.subarray(row * rows.width, (row + 1) * rows.width)), ...tangent];
  const sign = orientation(square);
  return before !== null && !leaps && before.sign * sign < 0 ? null : { t, q, v, rows: chosen, tangent, sign };
}

/** y + h Σ c k over the slopes k of a row; without y, only the sum. */
function summed(y: Float64Array | null, slopes: readonly Float64Array[], row: Row, h: number): Float64Array {
  const found = y === null ? new Float64Array(slopes[0]!.length) : y.slice();
  for (const [stage, coefficient] of row) {
    const slope = slopes[stage]!;
    for (let i = 0; i < found.length; i++) found[i]! += h * coefficient * slope[i]!;
  }
  return found;
}

/** A row times velocities of all coordinates. */
function speed(row: Float64Array, v: Float64Array, unknown: Int32Array): number {
  let sum = 0;
  unknown.forEach((column, i) => column >= 0 && (sum += row[column]! * v[i]!));
  return sum;
}

const largest = (values: Float64Array): number => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
