/** A run that the page computes itself, with an estimate of its error. */
import type { Scene } from "../../../scene";
import type { Page } from "../bench";
import { unknown } from "../devices/kinds";
import { type Ending, type Frame, simulated } from "./integrate";
import { Machine } from "./machine";
import { recorded } from "./recording";

/** The tolerance of a run, and of a coarser one with which it is compared: both as parts of the size of a link. */
const TOLERANCE = 1e-10;
const COARSE = 1e-8;

/** An error beyond this part of the size of a link makes a run doubtful. */
const DOUBT = 1e-3;

/** Positions are closed to this part of the size of a link. */
const ROUNDED = 1e-12;

/** Frames a second, and how many there are at least and at most. */
const RATE = 60;
const FEWEST = 240;
const MOST_FRAMES = 2400;

/** The most unknowns, whose cube the work grows with. */
const LARGEST = 160;

/** Milliseconds after which the page may draw. */
const TURN = 30;

/** The scene of a run; null if it was halted. `told` hears which part is done, and says whether to halt. */
export async function computed({ sketch, text }: Page, seconds: number, told: (part: number) => boolean): Promise<Scene | null> {
  const missing = unknown(sketch);
  if (missing.length > 0) throw new Error(`This page has no server, and cannot run ${missing.join(", ")}.${text === null ? "" : " Save the description, and run it with Grashof."}`);
  const lonely = sketch.links.find((link) => link.points.length < 2);
  if (lonely !== undefined) throw new Error(`${lonely.name} has fewer than two points.`);
  const machine = new Machine(sketch);
  const { unknowns, size } = machine.linkage;
  if (unknowns > LARGEST) throw new Error(`A page without a server runs sketches with at most ${LARGEST / 2} moving points; this one has ${unknowns / 2}.`);
  const count = Math.round(Math.min(MOST_FRAMES, Math.max(FEWEST, RATE * seconds)));
  const runs: { frames: Frame[]; ending: Ending }[] = [];
  for (const [k, tolerance] of [COARSE, TOLERANCE].entries()) {
    const found = await frames(simulated(machine, seconds, count, tolerance), (part) => told(0.5 * (k + part / count)));
    if (found === null) return null;
    runs.push(found);
  }
  const [coarse, fine] = runs as [(typeof runs)[0], (typeof runs)[0]];
  if (fine.frames.length < 2) throw new Error(fine.ending.sentence);
  const error = fine.frames.reduce((most, { q, t }, k) => (coarse.frames[k]?.t === t ? q.reduce((found, x, i) => Math.max(found, Math.abs(x - coarse.frames[k]!.q[i]!)), most) : most), 0);
  const doubtful = error > DOUBT * size || coarse.frames.length < fine.frames.length;
  const sentence = doubtful ? `${fine.ending.sentence} Its positions are uncertain by ${error.toPrecision(2)} m: it depends on the last digits.` : `${fine.ending.sentence} Computed in this page; positions agree to ${Math.max(error, ROUNDED * size).toPrecision(1)} m with a run of ${COARSE / TOLERANCE} times the tolerance.`;
  return recorded(machine, fine.frames, { ok: fine.ending.ok && !doubtful, code: "", text: sentence }, []);
}

/** All frames, without keeping the page from drawing; null if it was halted. */
async function frames(steps: Generator<Frame, Ending>, told: (part: number) => boolean): Promise<{ frames: Frame[]; ending: Ending } | null> {
  const found: Frame[] = [];
  let begun = performance.now();
  for (;;) {
    const next = steps.next();
    if (next.done) return { frames: found, ending: next.value };
    found.push(next.value);
    if (performance.now() - begun < TURN) continue;
    await new Promise((resolve) => setTimeout(resolve));
    begun = performance.now();
    if (told(found.length)) return null;
  }
}
