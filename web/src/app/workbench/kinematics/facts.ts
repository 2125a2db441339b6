/** What a linkage tells while it is drawn: freedoms, Grashof's class, how far it turns, dead centres, transmission angles. */
import { type Link, type Point, type Sketch, linksAt, pointOf } from "../sketch";
import { type Course, turnsOf } from "./course";

const DEGREES = 180 / Math.PI;

/** The freedoms in one line. */
export function freedomLine({ freedoms, redundant }: Course): string {
  const free = `${freedoms} ${freedoms === 1 ? "degree" : "degrees"} of freedom`;
  return redundant === 0 ? `${free}, no redundant constraints.` : `${free}, ${redundant} redundant ${redundant === 1 ? "constraint" : "constraints"}.`;
}

/** Four links around a loop: crank AB, coupler BC, rocker DC, and the ground from A to D. */
interface FourBar {
  readonly crank: Link;
  readonly rocker: Link;
  readonly points: readonly [Point, Point, Point, Point];
}

function fourBars(sketch: Sketch): readonly FourBar[] {
  const found: FourBar[] = [];
  const grounded = (link: Link) => link.points.map((name) => pointOf(sketch, name)).filter((point) => point.ground);
  for (const coupler of sketch.links) {
    if (grounded(coupler).length > 0) continue;
    const arms = coupler.points.flatMap((name) => linksAt(sketch, name).filter((link) => link !== coupler).flatMap((link) => grounded(link).map((foot) => ({ link, foot, tip: pointOf(sketch, name) }))));
    for (const [k, one] of arms.entries())
      for (const other of arms.slice(k + 1))
        if (one.link !== other.link && one.tip !== other.tip && one.foot !== other.foot) {
          // the driven one is the crank, else the shorter
          const swap = sketch.motors.some((motor) => motor.link === other.link.name) || (!sketch.motors.some((motor) => motor.link === one.link.name) && distance(other.tip, other.foot) < distance(one.tip, one.foot));
          const [a, b] = swap ? [other, one] : [one, other];
          found.push({ crank: a.link, rocker: b.link, points: [a.foot, a.tip, b.tip, b.foot] });
        }
  }
  return found;
}

/** Grashof's condition, and which links turn fully by it. */
function grashofLine({ crank, rocker, points: [a, b, c, d] }: FourBar, alone: boolean): string {
  const lengths = [distance(a, b), distance(b, c), distance(c, d), distance(d, a)] as const;
  const [least, p, q, most] = [...lengths].sort((x, y) => x - y) as [number, number, number, number];
  const spare = p + q - least - most;
  const name = `Four-bar ${a.name} ${b.name} ${c.name} ${d.name}`;
  const sums = `${shown(least)} + ${shown(most)} ${Math.abs(spare) < 1e-7 * most ? "=" : spare > 0 ? "<" : ">"} ${shown(p)} + ${shown(q)}`;
  if (Math.abs(spare) < 1e-7 * most) return `${name}: change point (${sums}); it can be flat, where its motion is not determined.`;
  if (spare < 0) return `${name}: triple rocker, no link turns fully (${sums}).`;
  // other links may keep them from it
  const [turns, turn] = alone ? ["turns", "turn"] : ["could turn", "could turn"];
  const kinds = [`crank-rocker, ${crank.name} ${turns} fully`, `double rocker, only the coupler ${turns} fully`, `crank-rocker, ${rocker.name} ${turns} fully`, `double crank, ${crank.name} and ${rocker.name} ${turn} fully`];
  return `${name}: ${kinds[lengths.indexOf(least)]} (Grashof: ${sums}).`;
}

/**
 * The transmission angle μ between coupler and rocker, at most a right angle: b² + c² − 2bc cos μ = BD², and BD is
 * between what crank and ground, and coupler and rocker, allow.
 */
function transmissionLine({ points: [a, b, c, d] }: FourBar, course: Course): string {
  const [crank, coupler, rocker, base] = [distance(a, b), distance(b, c), distance(c, d), distance(d, a)];
  const [near, far] = [Math.max(Math.abs(base - crank), Math.abs(coupler - rocker)), Math.min(base + crank, coupler + rocker)];
  const apart = course.places.map((q) => distance(course.linkage.place(b.name, q), course.linkage.place(d.name, q)));
  // other links may keep it from going so far; then the positions of the course must do
  const whole = Math.min(...apart) - near < 0.02 * base && far - Math.max(...apart) < 0.02 * base;
  const cosine = (x: number) => Math.min(1, Math.max(-1, (coupler * coupler + rocker * rocker - x * x) / (2 * coupler * rocker)));
  const ends = (whole ? [near, far] : [Math.min(...apart), Math.max(...apart)]).map(cosine);
  const folded = ends.map((x) => Math.acos(Math.abs(x)) * DEGREES);
  const [least, most] = [Math.min(...folded), ends[0]! * ends[1]! < 0 ? 90 : Math.max(...folded)];
  return `Transmission angle at ${c.name}: ${whole ? "" : "about "}${degrees(least)} to ${degrees(most)} along the motion.`;
}

/** How far a link turns, and where it turns back. */
export function turnLine(course: Course, link: Link): string {
  const turns = turnsOf(course, link);
  const [low, high] = [Math.min(...turns), Math.max(...turns)];
  const last = turns.length - 1;
  const back = turns.filter((turn, k) => k > 0 && k < last && (turn - turns[k - 1]!) * (turns[k + 1]! - turn) < 0).length;
  if (high - low < 1e-9) return `${link.name} does not turn.`;
  // a closed way whose end is a whole turn from its beginning
  if (course.closed && Math.abs(turns[last]! - turns[0]!) > Math.PI) return back === 0 ? `${link.name} turns fully.` : `${link.name} turns fully, but turns back ${back} times on the way.`;
  return `${link.name} swings by about ${Math.round((high - low) * DEGREES)}°${course.closed ? ", between its dead centres" : ""}.`;
}

/** All lines about a linkage, the freedoms first. */
export function factsOf(course: Course): readonly string[] {
  const { sketch } = course.linkage;
  const lines = [freedomLine(course)];
  if (course.freedoms !== 1) return lines;
  const driven = sketch.links.filter((link) => sketch.motors.some((motor) => motor.link === link.name));
  const bars = fourBars(sketch).slice(0, 2);
  for (const bar of bars) lines.push(grashofLine(bar, sketch.links.length === 3), transmissionLine(bar, course));
  const pivoted = sketch.links.filter((link) => link.points.some((name) => pointOf(sketch, name).ground));
  for (const link of driven.length > 0 ? driven : bars.length > 0 ? bars.map((bar) => bar.crank) : pivoted.slice(0, 2)) lines.push(turnLine(course, link));
  return [...new Set(lines)];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const distance = (a: Place, b: Place): number => Math.hypot(b.x - a.x, b.y - a.y);
const degrees = (x: number): string => `${Number(x.toFixed(1))}°`;
const shown = (x: number): string => String(Number(x.toPrecision(4)));
