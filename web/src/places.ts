/** Places and directions of bodies in world axes. */
import { Quaternion, Vector3 } from "three";
import type { Spot, View } from "./scene";
import { POSE, type Poses } from "./motion";

export type Vec3 = readonly [number, number, number];

/** Corners of a rope that hangs. */
export const HANGING = 25;

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

/** A rope of the given length between two places: straight, or a parabola whose length is about right if they are side
 *  by side. Where one place is above the other it bulges to the right, so that its two parts can be seen. */
export function hang(a: Vector3, b: Vector3, length: number, view: View): Vector3[] {
  const gap = b.clone().sub(a);
  const sag = Math.sqrt(Math.max((3 / 16) * (length * length - gap.lengthSq()), 0));
  const up = new Vector3(...view.up);
  const upright = gap.dot(up) ** 2 / Math.max(gap.lengthSq(), 1e-300);
  const right = up.clone().cross(new Vector3(...view.towards)).normalize();
  const down = right.multiplyScalar(0.3 * upright).sub(up).multiplyScalar(4 * sag);
  return Array.from({ length: HANGING }, (_, k) => {
    const part = k / (HANGING - 1);
    return a.clone().lerp(b, part).addScaledVector(down, part * (1 - part));
  });
}

/** A direction of a body in world axes. */
export function turned(poses: Poses, body: number, direction: Vec3, into = new Vector3()): Vector3 {
  return into.set(...direction).applyQuaternion(attitude(poses, body, turn));
}
