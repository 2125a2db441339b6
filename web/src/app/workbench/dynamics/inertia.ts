/**
 * The mass of a link in the coordinates of its two base points a and b: with d = b − a and a centre of mass c = a + α d + β J d,
 * T = ½ m |ċ|² + ½ I |ḋ|²/L², so that the mass matrix is constant (J. García de Jalón and E. Bayo, Kinematic and Dynamic
 * Simulation of Multibody Systems, Springer, 1994, chapter 4).
 */
import { spread } from "../hull";
import { type Base, local } from "../kinematics/linkage";
import type { Link } from "../sketch";

export class Inertia {
  /** The coordinates of a and b. */
  readonly at: readonly [number, number, number, number];
  private readonly matrix: readonly (readonly number[])[];
  /** The height of the centre of mass: its factors of the coordinates. */
  private readonly height: readonly number[];

  constructor(link: Link, { shape, one, other, a, b, length }: Base) {
    const { x, y, inertia } = massOf(link, shape);
    const { along, across } = local(one, other, { x, y });
    const centre = [[1 - along, across, along, -across], [-across, 1 - along, across, along]] as const;
    const turn = [[-1, 0, 1, 0], [0, -1, 0, 1]] as const;
    const part = inertia / (length * length);
    this.at = [a, a + 1, b, b + 1];
    this.height = centre[1].map((x) => link.mass * x);
    this.matrix = this.at.map((_, i) => this.at.map((_, j) => link.mass * (centre[0][i]! * centre[0][j]! + centre[1][i]! * centre[1][j]!) + part * (turn[0][i]! * turn[0][j]! + turn[1][i]! * turn[1][j]!)));
  }

  /** Adds M v to a vector over all coordinates. */
  multiply(v: Float64Array, into: Float64Array): void {
    this.matrix.forEach((row, i) => row.forEach((x, j) => (into[this.at[i]!]! += x * v[this.at[j]!]!)));
  }

  /** Adds weight to the loads. */
  weigh(gravity: number, into: Float64Array): void {
    this.height.forEach((x, i) => (into[this.at[i]!]! -= gravity * x));
  }

  /** Mass times height of the centre of mass. */
  moment(q: Float64Array): number {
    return this.height.reduce((sum, x, i) => sum + x * q[this.at[i]!]!, 0);
  }
}

/** The centre of mass of a link in the axes of its shape, and its inertia about it. */
function massOf(link: Link, shape: Base["shape"]): { readonly x: number; readonly y: number; readonly inertia: number } {
  const { own, mass } = link;
  if (own?.type === "rigid") return { x: own.center?.[0] ?? 0, y: own.center?.[1] ?? 0, inertia: own.inertia ?? 0 };
  // a bar is slender and uniform between its ends, whatever other points it has
  const { x, y, inertia } = spread(own === undefined ? shape : link.points.slice(0, 2).map((name) => shape.find((corner) => corner.name === name)!));
  return { x, y, inertia: mass * inertia };
}
