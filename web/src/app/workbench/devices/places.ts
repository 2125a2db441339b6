/** Where devices are: pivots of links, pixels of circles and turned shapes. */
import { s } from "../../../dom";
import { type Device, type Link, type Point, type Sketch, linksAt, pointOf } from "../sketch";
import type { Seen } from "./kind";

export type Pair = readonly [number, number];

export const linkOf = (sketch: Sketch, name: string): Link => sketch.links.find((link) => link.name === name)!;

/** The point at which a link is pinned to the ground, if it is. */
export const footOf = (sketch: Sketch, name: string): Point | null => linkOf(sketch, name).points.map((point) => pointOf(sketch, point)).find((point) => point.ground) ?? null;

/** The axes about which two links turn, which the ground or a third link holds; null if nothing does. */
export function axesOf(sketch: Sketch, a: string, b: string): { readonly carrier: string | null; readonly a: string; readonly b: string } | null {
  const [one, other] = [footOf(sketch, a), footOf(sketch, b)];
  if (one !== null && other !== null && one !== other) return { carrier: null, a: one.name, b: other.name };
  const shared = (carrier: Link, link: string) => carrier.points.filter((point) => linkOf(sketch, link).points.includes(point));
  for (const carrier of sketch.links) {
    if (carrier.name === a || carrier.name === b) continue;
    const [p, q] = [shared(carrier, a)[0], shared(carrier, b).find((point) => point !== shared(carrier, a)[0])];
    if (p !== undefined && q !== undefined) return { carrier: carrier.name, a: p, b: q };
  }
  return one !== null && other !== null ? { carrier: null, a: one.name, b: other.name } : null;
}

/** By how much a link is turned in a position against the drawing. */
export function turned({ sketch, shown }: Pick<Seen, "sketch" | "shown">, link: string): number {
  const [a, b] = linkOf(sketch, link).points as [string, string];
  const angle = (of: Sketch) => Math.atan2(pointOf(of, b).y - pointOf(of, a).y, pointOf(of, b).x - pointOf(of, a).x);
  return wrapped(angle(shown) - angle(sketch));
}

/** An angle between −π and π. */
export const wrapped = (x: number): number => Math.atan2(Math.sin(x), Math.cos(x));

export const distance = (a: { readonly x: number; readonly y: number }, b: { readonly x: number; readonly y: number }): number => Math.hypot(b.x - a.x, b.y - a.y);

/** A number to three digits, so that what is drawn begins with round values. */
export const round3 = (x: number): number => Number(x.toPrecision(3));

/** A toothed or smooth circle about a place, m, with a spoke that shows how it turns. */
export function wheel(seen: Seen, x: number, y: number, radius: number, angle: number, teeth: number): SVGElement {
  const [cx, cy] = seen.at(x, y);
  const [ex, ey] = seen.at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  const r = Math.hypot(ex - cx, ey - cy);
  const spoke = s("line", { class: "spoke", x1: cx, y1: cy, x2: ex, y2: ey });
  if (teeth === 0) return s("g", {}, s("circle", { cx, cy, r }), spoke);
  const around = 2 * Math.PI * r;
  const dash = around / teeth / 2;
  const start = (-angle * 180) / Math.PI;
  return s("g", {}, s("circle", { cx, cy, r: Math.max(0, r - 2.5) }), s("circle", { class: "teeth", cx, cy, r, "stroke-dasharray": `${dash.toFixed(3)} ${dash.toFixed(3)}`, transform: `rotate(${start.toFixed(2)} ${cx} ${cy})` }), spoke);
}

export const line = (seen: Seen, from: Pair, to: Pair, kind = ""): SVGElement => {
  const [[x1, y1], [x2, y2]] = [seen.at(...from), seen.at(...to)];
  return s("line", { class: kind, x1, y1, x2, y2 });
};

/** Joints at a point besides its own, so that something can rub there. */
export const jointed = (sketch: Sketch, point: string): boolean => linksAt(sketch, point).length + (pointOf(sketch, point).ground ? 1 : 0) > 1 || sketch.sliders.some((slider) => slider.point === point) || sketch.slots.some((slot) => slot.point === point);

/** The two ends of a device in a position. */
export const endsOf = (sketch: Sketch, device: Device): readonly [Point, Point] => [pointOf(sketch, device.points[0]!), pointOf(sketch, device.points[1]!)];

/** Places between its ends, by which it can be picked. */
export function middles(sketch: Sketch, device: Device): readonly Pair[] {
  const [a, b] = endsOf(sketch, device);
  return [0.25, 0.5, 0.75].map((k) => [a.x + k * (b.x - a.x), a.y + k * (b.y - a.y)]);
}
