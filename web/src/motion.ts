/** Where bodies are at a time: recorded frames here, a running simulation in `live`. */
import type { Scene } from "./scene";
import { unpacked } from "./numbers";

/** Seven numbers for each body but the ground: x, y, z and the quaternion w, x, y, z. */
export type Poses = Float32Array | Float64Array;

export const POSE = 7;

export interface Motion {
  /** The first and the last time that can be shown, s. */
  readonly begin: number;
  readonly end: number;
  /** Poses at a time, which stay valid until the next call. */
  at(time: number): Poses;
}

/** A motion as frames: positions between frames are interpolated linearly, attitudes along the shortest way. */
export class Recorded implements Motion {
  readonly times: Float32Array;
  readonly poses: Float32Array | Float64Array;
  readonly bodies: number;
  private readonly now: Float64Array;

  constructor(scene: Scene) {
    this.times = unpacked(scene.times);
    this.poses = shifted(unpacked(scene.poses), scene.shift);
    this.bodies = scene.bodies.length - 1;
    this.now = new Float64Array(this.bodies * POSE);
  }

  get begin(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  /** The frame at or before a time, and how far the time is from it to the next, 0 to 1. */
  place(time: number): { frame: number; part: number } {
    const times = this.times;
    let low = 0;
    let high = times.length - 1;
    if (high < 1 || time <= times[0]!) return { frame: 0, part: 0 };
    if (time >= times[high]!) return { frame: high, part: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle;
    }
    return { frame: low, part: (time - times[low]!) / (times[high]! - times[low]!) };
  }

  at(time: number): Poses {
    const { frame, part } = this.place(time);
    const size = this.bodies * POSE;
    const first = frame * size;
    if (part === 0) return this.poses.subarray(first, first + size);
    const { poses, now } = this;
    for (let i = 0; i < size; i++) now[i] = poses[first + i]! * (1 - part) + poses[first + size + i]! * part;
    for (let i = 3; i < size; i += POSE) {
      const norm = Math.hypot(now[i]!, now[i + 1]!, now[i + 2]!, now[i + 3]!) || 1;
      for (let k = 0; k < 4; k++) now[i + k]! /= norm;
    }
    return now;
  }
}

/** Poses with something added to their positions. */
function shifted(poses: Float32Array, shift: readonly number[]): Float32Array | Float64Array {
  if (shift.every((x) => x === 0)) return poses;
  return Float64Array.from(poses, (x, i) => x + (shift[i % POSE] ?? 0));
}
