/** What a live mechanism did lately: poses and quantities at the times that were shown. */
import { POSE, type Motion, type Poses } from "../motion";

interface Frame {
  readonly time: number;
  readonly poses: Float64Array;
  readonly values: Float64Array;
}

/** Frames that are kept. */
const MOST = 2400;

export class History implements Motion {
  private frames: Frame[] = [];
  private readonly now: Float64Array;

  /** `window` is the time that traces and plots look back, s. */
  constructor(
    bodies: number,
    private readonly window: number,
  ) {
    this.now = new Float64Array(bodies * POSE);
  }

  get end(): number {
    return this.frames[this.frames.length - 1]?.time ?? 0;
  }

  get begin(): number {
    return Math.max(this.frames[0]?.time ?? 0, this.end - this.window);
  }

  clear(): void {
    this.frames = [];
  }

  /** Notes what is shown at a time. Where time runs backwards, what came after it is forgotten. */
  add(time: number, poses: Float64Array, values: Float64Array): void {
    while (this.frames.length > 0 && this.end >= time && (this.frames[0]?.time ?? 0) < time) this.frames.pop();
    const frame = { time, poses, values };
    const first = this.frames[0];
    if (first !== undefined && time <= first.time) {
      this.frames = time < first.time ? [frame, first] : [frame];
    } else this.frames.push(frame);
    if (this.frames.length > MOST) this.frames.splice(0, this.frames.length - MOST);
  }

  at(time: number): Poses {
    const { frames, now } = this;
    const k = this.place(time);
    const here = frames[k];
    const next = frames[k + 1];
    if (here === undefined) return now;
    if (next === undefined || time <= here.time) return here.poses;
    const part = Math.min(1, (time - here.time) / (next.time - here.time));
    for (let i = 0; i < now.length; i += POSE) {
      let same = 0;
      for (let j = 3; j < POSE; j++) same += here.poses[i + j]! * next.poses[i + j]!;
      const sign = same < 0 ? -1 : 1;
      for (let j = 0; j < POSE; j++) now[i + j] = (1 - part) * here.poses[i + j]! + part * (j < 3 ? 1 : sign) * next.poses[i + j]!;
      const size = Math.hypot(now[i + 3]!, now[i + 4]!, now[i + 5]!, now[i + 6]!) || 1;
      for (let j = 3; j < POSE; j++) now[i + j]! /= size;
    }
    return now;
  }

  /** A quantity over the times that plots show. */
  curve(quantity: number): { times: number[]; values: number[] } {
    const seen = this.frames.slice(this.place(this.begin));
    return { times: seen.map((frame) => frame.time), values: seen.map((frame) => frame.values[quantity]!) };
  }

  /** The last frame at or before a time. */
  private place(time: number): number {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle]!.time <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
