/** Geometry in the plane: rounded plates, tight ropes, strips of constant width. All lie in z = 0 and face the viewer. */
import { BufferAttribute, BufferGeometry, Shape } from "three";
import { hullOf } from "../hull";

export type Vec2 = readonly [number, number];

/** The border of all places within a radius of the hull of points. */
export function rounded(points: readonly Vec2[], radius: number): Vec2[] {
  const corners = hullOf(points.map(([x, y]) => ({ x, y })));
  return corners.flatMap((corner, k): Vec2[] => {
    const before = corners[(k + corners.length - 1) % corners.length]!;
    const after = corners[(k + 1) % corners.length]!;
    // normals to the right of edges that run anticlockwise point outwards
    const from = Math.atan2(before.x - corner.x, corner.y - before.y);
    const to = Math.atan2(corner.x - after.x, after.y - corner.y);
    const sweep = corners.length < 2 ? whole * (1 - 1 / 40) : positive(to - from);
    const steps = Math.max(2, Math.ceil(sweep / 0.16));
    return Array.from({ length: steps + 1 }, (_, i): Vec2 => {
      const angle = from + (sweep * i) / steps;
      return [corner.x + radius * Math.cos(angle), corner.y + radius * Math.sin(angle)];
    });
  });
}

/** A polygon. */
export function polygon(points: readonly Vec2[]): Shape {
  const shape = new Shape();
  points.forEach(([x, y], k) => (k === 0 ? shape.moveTo(x, y) : shape.lineTo(x, y)));
  shape.closePath();
  return shape;
}

/** Places of a rope on a pulley: enough to look round. */
const ARC = 17;

/** How many corners `tightened` has. */
export function cornersOf(radii: readonly number[]): number {
  return radii.reduce((sum, r) => sum + (r === 0 ? 1 : ARC), 0);
}

/** A tight rope or belt through places and around pulleys about them: radii are positive where it passes anticlockwise, zero for a place. Where pulleys lie within each other it goes from centre to centre. */
export function tightened(centers: readonly Vec2[], radii: readonly number[], closed: boolean): Vec2[] {
  const count = centers.length;
  const aims = centers.map(([x, y], k) => {
    const to = centers[(k + 1) % count]!;
    const part = (radii[k]! - radii[(k + 1) % count]!) / Math.hypot(to[0] - x, to[1] - y);
    return Math.abs(part) < 1 && (closed || k + 1 < count) ? Math.atan2(to[1] - y, to[0] - x) + Math.asin(part) : null;
  });
  return centers.flatMap(([x, y], k): Vec2[] => {
    const r = radii[k]!;
    const arrives = aims[(k + count - 1) % count];
    const leaves = aims[k];
    if (r === 0) return [[x, y]];
    if (arrives == null || leaves == null) return Array.from({ length: ARC }, (): Vec2 => [x, y]);
    // the straight parts touch on the right of the direction in which they run
    const turn = r > 0 ? positive(leaves - arrives) : -positive(arrives - leaves);
    return Array.from({ length: ARC }, (_, i): Vec2 => {
      const angle = arrives + (turn * i) / (ARC - 1);
      return [x + r * Math.sin(angle), y - r * Math.cos(angle)];
    });
  });
}

const whole = 2 * Math.PI;

function positive(angle: number): number {
  return ((angle % whole) + whole) % whole;
}

/** A line that ends where it began, with a corner there like the others. */
export function closed(points: readonly Vec2[]): Vec2[] {
  return [...points, points[0]!, points[1] ?? points[0]!];
}

/** A line of constant width through points that may change: a strip of triangles, with mitred corners. */
export class Strip extends BufferGeometry {
  private places = new BufferAttribute(new Float32Array(0), 3);

  constructor(private readonly width: number) {
    super();
  }

  private reserve(count: number): void {
    if (this.places.count >= 2 * count) return;
    this.places = new BufferAttribute(new Float32Array(count * 6), 3);
    this.setAttribute("position", this.places);
    const corners: number[] = [];
    for (let k = 0; k + 1 < count; k++) corners.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2);
    this.setIndex(corners);
  }

  /** Leads the line through these points. */
  through(points: readonly Vec2[]): this {
    const count = points.length;
    this.reserve(count);
    const half = this.width / 2;
    for (let k = 0; k < count; k++) {
      const here = points[k]!;
      const one = unit(points[Math.max(k - 1, 0)]!, k > 0 ? here : points[Math.min(1, count - 1)]!);
      const two = unit(k + 1 < count ? here : points[Math.max(count - 2, 0)]!, points[Math.min(k + 1, count - 1)]!);
      let nx = -(one[1] + two[1]);
      let ny = one[0] + two[0];
      const size = Math.hypot(nx, ny) || 1;
      nx /= size;
      ny /= size;
      const reach = half / Math.max(0.35, nx * -one[1] + ny * one[0]);
      this.places.setXYZ(2 * k, here[0] + nx * reach, here[1] + ny * reach, 0);
      this.places.setXYZ(2 * k + 1, here[0] - nx * reach, here[1] - ny * reach, 0);
    }
    this.places.needsUpdate = true;
    this.setDrawRange(0, Math.max(0, 6 * (count - 1)));
    this.computeBoundingSphere();
    return this;
  }
}

function unit(a: Vec2, b: Vec2): Vec2 {
  const x = b[0] - a[0];
  const y = b[1] - a[1];
  const size = Math.hypot(x, y) || 1;
  return [x / size, y / size];
}
