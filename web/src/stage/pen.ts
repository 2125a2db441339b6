/** What all drawings in the plane share: sizes, colours, and which lies above which. */
import { type Object3D, Vector3 } from "three";
import type * as scenes from "../scene";
import { type Vec3, turned, world } from "../places";
import type { Poses } from "../motion";
import type { Paints } from "./drawn";
import { Strip, type Vec2 } from "./shapes";

/** What lies above what. */
export const ORDER = { guide: 1, gear: 2, outline: 2.5, body: 3, rope: 20, spring: 21, block: 22, support: 23, pin: 24, drive: 26, mark: 27 };

const b = new Vector3();

export class Pen {
  protected readonly size: number;
  protected readonly line: number;

  constructor(
    protected readonly scene: scenes.Scene,
    protected readonly paints: Paints,
  ) {
    this.size = scene.detail;
    this.line = 0.16 * scene.detail;
  }

  protected sized(wide: number): number {
    return ORDER.body + 10 * (1 - Math.min(1, wide / (this.scene.size || 1)));
  }

  protected readonly ink = () => this.paints.flat((colors) => colors.ink);
  protected readonly paper = () => this.paints.flat((colors) => colors.paper);
  protected readonly soft = () => this.paints.flat((colors) => colors.soft);
  protected readonly ground = () => this.paints.flat((colors) => colors.ground);
}

export function flat(place: Vector3): Vec2 {
  return [place.x, place.y];
}

export function circle(radius: number): Vec2[] {
  return Array.from({ length: 72 }, (_, k): Vec2 => [radius * Math.cos((k * Math.PI) / 36), radius * Math.sin((k * Math.PI) / 36)]);
}

export function closedStrip(points: readonly Vec2[], width: number): Strip {
  return new Strip(points.length + 2, width).through([...points, points[0]!, points[1]!]);
}

/** Puts an object where a place of a body is, turned as the body is. */
export function place(object: Object3D, poses: Poses, body: number, at: Vec3 = [0, 0, 0]): void {
  world(poses, { body, at }, object.position);
  const direction = turned(poses, body, [1, 0, 0], b);
  object.rotation.z = Math.atan2(direction.y, direction.x);
}
