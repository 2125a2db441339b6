/** What is at a place of the sketch. */
import type { End } from "./bench";
import { kindOf } from "./devices/kinds";
import { type Part, type Point, type Sketch, pointOf, rounded } from "./sketch";
import { hullOf } from "../../hull";

/** The nearest point within a distance. */
export function pointAt(sketch: Sketch, x: number, y: number, reach: number, except: readonly string[] = []): Point | null {
  let [best, found] = [reach, null as Point | null];
  for (const point of sketch.points) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance > best || except.includes(point.name)) continue;
    [best, found] = [distance, point];
  }
  return found;
}

/** The link under a place. */
export function linkAt(sketch: Sketch, x: number, y: number, reach: number): string | null {
  for (const link of [...sketch.links].reverse()) {
    const corners = hullOf(link.points.map((name) => pointOf(sketch, name)));
    const edges = corners.map((one, k) => [one, corners[(k + 1) % corners.length]!] as const);
    const inside = corners.length > 2 && edges.every(([a, b]) => (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0);
    if (inside || edges.some(([a, b]) => toSegment(a, b, x, y) < reach)) return link.name;
  }
  return null;
}

/** The part under a place, points first. */
export function partAt(sketch: Sketch, x: number, y: number, reach: number): Part | null {
  const point = pointAt(sketch, x, y, reach);
  if (point) return { kind: "point", name: point.name };
  const spring = sketch.springs.find((found) => toSegment(pointOf(sketch, found.a), pointOf(sketch, found.b), x, y) < reach);
  if (spring) return { kind: "spring", name: spring.name };
  const device = sketch.devices.find((found) => kindOf(found).handles(sketch, found).some(([px, py]) => Math.hypot(px - x, py - y) < reach));
  if (device) return { kind: "device", name: device.name };
  const link = linkAt(sketch, x, y, reach);
  return link === null ? null : { kind: "link", name: link };
}

/** The place that is meant: a point nearby, or else a corner of the grid; as it is if `step` is 0. */
export function snapped(sketch: Sketch, x: number, y: number, reach: number, step: number, except: readonly string[] = []): End {
  const point = pointAt(sketch, x, y, reach, except);
  if (point) return { x: point.x, y: point.y, point: point.name };
  const grid = (value: number) => rounded(step === 0 ? value : Math.round(value / step) * step);
  return { x: grid(x), y: grid(y), point: null };
}

function toSegment(a: Point, b: Point, x: number, y: number): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const part = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a.x + part * dx - x, a.y + part * dy - y);
}
