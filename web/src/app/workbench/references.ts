/** How a description calls what a sketch has, and writes its numbers. */
import { quoted } from "./patch";
import { type Link, type Sketch, linksAt, pointOf } from "./sketch";

/** Numbers with twelve digits: lengths that are equal in the drawing are equal in the file. */
export const number = (x: number): string => String(Number(x.toPrecision(12)) || 0);

export const pair = (x: number, y: number): string => `[${number(x)}, ${number(y)}]`;

/** A point as one of a link, by the name that the description has for it. */
export function nameOn(link: Link, point: string): string {
  const ends = link.own === undefined && link.points.length === 2;
  return `${link.name}.${link.own?.labels[point] ?? (ends ? (link.points[0] === point ? "start" : "end") : point)}`;
}

/** A point as that of the ground or of its first link; null if it belongs to nothing. */
export function reference(sketch: Sketch, name: string): string | null {
  if (pointOf(sketch, name).ground) return `ground.${name}`;
  const link = linksAt(sketch, name)[0];
  return link ? nameOn(link, name) : null;
}

/** Where a described link has its origin, and how its axes are turned: a bar's are along its first two points. */
export function frame(sketch: Sketch, link: Link): { readonly x: number; readonly y: number; readonly angle: number } {
  const [first, second] = [pointOf(sketch, link.points[0]!), pointOf(sketch, link.points[1]!)];
  if (link.own !== undefined && link.own.type === "rigid") return link.own;
  return { x: first.x, y: first.y, angle: link.own !== undefined || link.points.length === 2 ? Math.atan2(second.y - first.y, second.x - first.x) : 0 };
}

/** The direction in which a link is drawn: that of its own axes, or from its first point to the second. */
export function heading(sketch: Sketch, link: Link): number {
  const [first, second] = [pointOf(sketch, link.points[0]!), pointOf(sketch, link.points[1]!)];
  return link.own === undefined ? Math.atan2(second.y - first.y, second.x - first.x) : frame(sketch, link).angle;
}

/** By how much the angle of a link in its description is less than its heading. */
export const ahead = (sketch: Sketch, link: Link): number => heading(sketch, link) - frame(sketch, link).angle;

/** The joint at a point that a description calls so: that of a slider or a slot, or the first pin. */
export function jointAt(sketch: Sketch, point: string): string {
  const slider = sketch.sliders.find((found) => found.point === point);
  if (slider !== undefined) return slider.own?.name ?? `slot ${point}`;
  return sketch.slots.find((slot) => slot.point === point)?.name ?? sketch.pins?.find((pin) => pin.point === point)?.name ?? point;
}

/** A law of time as TOML writes it: a number, or an expression as a text. */
export const law = (text: string): string => (text.trim() !== "" && Number.isFinite(Number(text)) ? number(Number(text)) : quoted(text));
