/** All positions that a linkage with a single freedom passes on its way, until it is where it began. */
import { beyond } from "../devices/kinds";
import type { Link, Sketch } from "../sketch";
import { Linkage } from "./linkage";
import { dot, length } from "./rows";
import { type Standing, Walk } from "./walk";

/** The most steps of a course, and the most unknowns of a linkage whose course is followed. */
const STEPS = 3000;
const UNKNOWNS = 80;

export interface Course {
  readonly linkage: Linkage;
  /** Freedoms, with all motors off, and how many equations of the joints are redundant. */
  readonly freedoms: number;
  readonly redundant: number;
  /** Coordinates along the way; only where it begins if there is more than one freedom. */
  readonly places: readonly Float64Array[];
  /** Whether the way comes back to where it began. */
  readonly closed: boolean;
}

/** The course of a sketch; null if its links do not fit together, or if nobody can know. */
export function courseOf(sketch: Sketch): Course | null {
  if (sketch.links.length === 0 || beyond(sketch).length > 0) return null;
  const linkage = new Linkage(sketch);
  const walk = new Walk(linkage);
  if (linkage.unknowns > UNKNOWNS) return null;
  const begin = walk.begin();
  if (begin === null) return null;
  const freedoms = begin.tangent.length;
  const whole = { linkage, freedoms, redundant: conditions(linkage) - (3 * sketch.links.length - freedoms) };
  if (freedoms !== 1) return { ...whole, places: [begin.q], closed: false };
  const there = follow(walk, begin, 1);
  if (there.closed) return { ...whole, places: [begin.q, ...there.places], closed: true };
  const back = follow(walk, begin, -1);
  return { ...whole, places: [...back.places.reverse(), begin.q, ...there.places], closed: false };
}

/** Why a sketch has no course. */
export function silence(sketch: Sketch): string {
  const missing = beyond(sketch);
  if (sketch.links.length === 0) return "Draw a bar to begin.";
  if (missing.length > 0) return `This page does not follow ${missing.join(", ")}, so that the motion is not known here. Run it.`;
  return new Linkage(sketch).unknowns > UNKNOWNS ? `The motion of more than ${UNKNOWNS / 2} points is not followed while they are drawn.` : "The links do not fit together.";
}

function follow(walk: Walk, begin: Standing, sense: 1 | -1): { places: Float64Array[]; closed: boolean } {
  const places: Float64Array[] = [];
  let from = begin.q;
  for (const { q } of walk.along(begin, sense)) {
    places.push(q);
    if (places.length >= STEPS) break;
    // back at the beginning: it is between the last two places, passed in the same direction
    const [step, left] = [difference(q, from), difference(begin.q, from)];
    const part = dot(left, step) / dot(step, step);
    if (places.length > 3 && part > 0 && part <= 1 && length(left.map((x, i) => x - part * step[i]!)) < 0.2 * length(step)) return { places, closed: true };
    from = q;
  }
  return { places, closed: false };
}

const difference = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, i) => x - b[i]!);

/** Equations of all joints: two for each pin, one for each slider, one or two for each slot, one for gears. */
function conditions({ sketch, equations }: Linkage): number {
  const pins = sketch.points.map((point) => Math.max(0, sketch.links.filter((link) => link.points.includes(point.name)).length - (point.ground ? 0 : 1)));
  const slots = sketch.sliders.filter((slider) => sketch.links.some((link) => link.points.includes(slider.point)));
  return 2 * pins.reduce((sum, x) => sum + x, 0) + slots.length + sketch.slots.reduce((sum, { keeps }) => sum + (keeps ? 2 : 1), 0) + equations.filter(({ owner }) => owner === "gear").length;
}

/** The path of a point. */
export function pathOf({ linkage, places }: Course, point: string): readonly (readonly [number, number])[] {
  const i = linkage.coordinate(point);
  return i === undefined ? [] : places.map((q) => [q[i]!, q[i + 1]!] as const);
}

/** How a link turns along a course: the angles by which it is turned, without jumps. */
export function turnsOf({ linkage, places }: Course, link: Link): readonly number[] {
  let last = 0;
  return places.map((q) => {
    const turn = linkage.turn(link, q);
    last = turn + 2 * Math.PI * Math.round((last - turn) / (2 * Math.PI));
    return last;
  });
}
