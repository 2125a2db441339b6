/** Which part of the plane is seen: the place in the middle, m, and pixels in a metre. */
import type { Course } from "./kinematics/course";
import type { Sketch } from "./sketch";

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels at the top of the drawing where the selected part is described. */
const PANEL = 40;

type Pair = readonly [number, number];

export function toPixels(camera: Camera, size: Size, x: number, y: number): Pair {
  return [size.width / 2 + (x - camera.x) * camera.scale, size.height / 2 - (y - camera.y) * camera.scale];
}

export function toPlane(camera: Camera, size: Size, px: number, py: number): Pair {
  return [camera.x + (px - size.width / 2) / camera.scale, camera.y - (py - size.height / 2) / camera.scale];
}

/** Nearer or farther by a factor; what is at a pixel stays there. */
export function zoomed(camera: Camera, size: Size, factor: number, px: number, py: number): Camera {
  const scale = Math.min(1e5, Math.max(1, camera.scale * factor));
  const [x, y] = toPlane(camera, size, px, py);
  return { scale, x: x - (px - size.width / 2) / scale, y: y + (py - size.height / 2) / scale };
}

/** Moved by pixels. */
export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y + dy / camera.scale };
}

/** Such that all of a sketch is seen, and all positions that it can take if they are known. */
export function fitted(sketch: Sketch, size: Size, course: Course | null = null): Camera {
  if (sketch.points.length === 0) return { x: 0.8, y: 0.5, scale: Math.min(260, size.width / 2.2) };
  const all = course?.places.flatMap((q) => course.linkage.points.map((name) => course.linkage.place(name, q))) ?? [];
  const [xs, ys] = [[...sketch.points, ...all].map((point) => point.x), [...sketch.points, ...all].map((point) => point.y)];
  const [left, right, low, high] = [least(xs), -least(xs.map((x) => -x)), least(ys), -least(ys.map((y) => -y))];
  const scale = Math.min((size.width - 90) / Math.max(right - left, 0.2), (size.height - 90 - PANEL) / Math.max(high - low, 0.2));
  const kept = Math.min(1e5, Math.max(1, scale));
  return { x: (left + right) / 2, y: (low + high) / 2 + PANEL / 2 / kept, scale: kept };
}

const least = (values: readonly number[]): number => values.reduce((found, x) => Math.min(found, x), Infinity);

/** The distance of the lines of the grid, m: 1, 2 or 5 times a power of ten, at least so many pixels. */
export function gridStep(camera: Camera, pixels = 13): number {
  const least = pixels / camera.scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9))!;
}
