/** Whether energy is gained or lost that no work explains, and whether motors hold the angles that they are to hold (`grashof.program.observe`). */

import { AT_REST } from "./data";

export class Balance {
  private base = 0;
  private kinetic = 0;
  private potential: [number, number] = [0, 0];
  private done: [number, number] = [0, 0];

  /** `allowed` is what the energy may be off by, relative to the energy that is exchanged. */
  constructor(private readonly allowed: number) {}

  /** Begins with these: kinetic energy, potential energy, work (J), and the least cosine of what motors' angles are off by. */
  begin(checked: ArrayLike<number>): void {
    const [kinetic = 0, potential = 0, done = 0] = Array.from(checked);
    this.base = kinetic + potential - done;
    this.kinetic = kinetic;
    this.potential = [potential, potential];
    this.done = [done, done];
  }

  /** The code of a doubt, if there is one. */
  judge(checked: ArrayLike<number>): string | null {
    const [kinetic = 0, potential = 0, done = 0, held = 1] = Array.from(checked);
    this.kinetic = Math.max(this.kinetic, kinetic);
    this.potential = [Math.min(this.potential[0], potential), Math.max(this.potential[1], potential)];
    this.done = [Math.min(this.done[0], done), Math.max(this.done[1], done)];
    const largest = Math.max(Math.abs(this.potential[0]), Math.abs(this.potential[1]));
    const moving = this.kinetic + this.potential[1] - this.potential[0] + this.done[1] - this.done[0] + AT_REST * largest;
    if (!(held > 0)) return "CONSTRAINTS_UNMET";
    return Math.abs(kinetic + potential - done - this.base) <= this.allowed * moving ? null : "INACCURATE";
  }
}
