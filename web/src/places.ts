/** Places and directions of bodies in world axes. */
import { Quaternion, Vector3 } from "three";
import type { Spot } from "./scene";
import { POSE, type Poses } from "./motion";

export type Vec3 = readonly [number, number, number];

const turn = new Quaternion();

/** The attitude of a body. */
export function attitude(poses: Poses, body: number, into = new Quaternion()): Quaternion {
  if (body === 0) return into.identity();
  const i = (body - 1) * POSE;
  return into.set(poses[i + 4]!, poses[i + 5]!, poses[i + 6]!, poses[i + 3]!);
}

/** Where the origin of a body is. */
export function origin(poses: Poses, body: number, into = new Vector3()): Vector3 {
  if (body === 0) return into.set(0, 0, 0);
  const i = (body - 1) * POSE;
  return into.set(poses[i]!, poses[i + 1]!, poses[i + 2]!);
}

/** Where a place on a body is. */
export function world(poses: Poses, spot: Spot, into = new Vector3()): Vector3 {
  into.set(...spot.at).applyQuaternion(attitude(poses, spot.body, turn));
  if (spot.body > 0) {
    const i = (spot.body - 1) * POSE;
    into.x += poses[i]!;
    into.y += poses[i + 1]!;
    into.z += poses[i + 2]!;
  }
  return into;
}

/** A direction of a body in world axes. */
export function turned(poses: Poses, body: number, direction: Vec3, into = new Vector3()): Vector3 {
  return into.set(...direction).applyQuaternion(attitude(poses, body, turn));
}
