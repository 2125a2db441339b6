/** Geometry in the plane: rounded plates, strips of constant width, wheels. All lie in z = 0 and face the viewer. */
import { BufferAttribute, BufferGeometry, Path, Shape, ShapeGeometry } from "three";

export type Vec2 = readonly [number, number];

/** The convex hull of points, anticlockwise. */
export function hull(points: readonly Vec2[]): Vec2[] {
  const ordered = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (sequence: readonly Vec2[]): Vec2[] => {
    const chain: Vec2[] = [];
    for (const point of sequence) {
      while (chain.length > 1 && turn(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const found = [...half(ordered), ...half([...ordered].reverse())];
  return found.length > 0 ? found : ordered.slice(0, 1);
}

function turn(a: Vec2, b: Vec2, c: Vec2): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** All places within a radius of the hull of points. */
export function plate(points: readonly Vec2[], radius: number): Shape {
  const corners = hull(points);
  const shape = new Shape();
  if (corners.length < 2) {
    const [x, y] = corners[0] ?? [0, 0];
    shape.absarc(x, y, radius, 0, 2 * Math.PI, false);
    return shape;
  }
  corners.forEach((corner, k) => {
    const before = corners[(k + corners.length - 1) % corners.length]!;
    const after = corners[(k + 1) % corners.length]!;
    // normals to the right of edges that run anticlockwise point outwards
    const from = Math.atan2(before[0] - corner[0], corner[1] - before[1]);
    const to = Math.atan2(corner[0] - after[0], after[1] - corner[1]);
    const sweep = (((to - from) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    const steps = Math.max(2, Math.ceil(sweep / 0.2));
    for (let i = 0; i <= steps; i++) {
      const angle = from + (sweep * i) / steps;
      const x = corner[0] + radius * Math.cos(angle);
      const y = corner[1] + radius * Math.sin(angle);
      if (k === 0 && i === 0) shape.moveTo(x, y);
      else shape.lineTo(x, y);
    }
  });
  shape.closePath();
  return shape;
}

/** A polygon. */
export function polygon(points: readonly Vec2[]): Shape {
  const shape = new Shape();
  points.forEach(([x, y], k) => (k === 0 ? shape.moveTo(x, y) : shape.lineTo(x, y)));
  shape.closePath();
  return shape;
}

export function filled(shape: Shape): ShapeGeometry {
  return new ShapeGeometry(shape, 16);
}

/** A disc or, with an inner radius, a ring. */
export function disc(radius: number, inner = 0): ShapeGeometry {
  const shape = new Shape().absarc(0, 0, radius, 0, 2 * Math.PI, false) as Shape;
  if (inner > 0) shape.holes.push(new Path().absarc(0, 0, inner, 0, 2 * Math.PI, true));
  return new ShapeGeometry(shape, 32);
}

/** The outline of a toothed wheel, or of the hole of a ring, with a pitch radius; the middle of a tooth is at the angle 0. Teeth of wheels that touch fit into each other. */
export function toothed(radius: number, teeth: number, internal: boolean): Vec2[] {
  const module = (2 * radius) / teeth;
  const inwards = internal ? -1 : 1;
  const high = radius + inwards * module;
  const low = radius - inwards * 1.15 * module;
  const corners: Vec2[] = [];
  for (let k = 0; k < teeth; k++) {
    for (const [part, r] of [
      [-0.36, low],
      [-0.14, high],
      [0.14, high],
      [0.36, low],
    ] as const) {
      const angle = (2 * Math.PI * (k + part)) / teeth;
      corners.push([r * Math.cos(angle), r * Math.sin(angle)]);
    }
  }
  return corners;
}

/** Places of a rope on a pulley: enough to look round. */
const ARC = 17;

/** How many corners `tightened` has. */
export function cornersOf(radii: readonly number[]): number {
  return radii.reduce((sum, r) => sum + (r === 0 ? 1 : ARC), 0);
}

/** A tight rope through places and around pulleys about them: radii are positive where it passes anticlockwise, zero for a place. Where pulleys lie within each other it goes from centre to centre. */
export function tightened(centers: readonly Vec2[], radii: readonly number[]): Vec2[] {
  const aims = centers.slice(1).map((to, k) => {
    const from = centers[k]!;
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const part = (radii[k]! - radii[k + 1]!) / Math.hypot(x, y);
    return Math.abs(part) < 1 ? Math.atan2(y, x) + Math.asin(part) : null;
  });
  return centers.flatMap(([x, y], k): Vec2[] => {
    const r = radii[k]!;
    const arrives = aims[k - 1];
    const leaves = aims[k];
    if (r === 0) return [[x, y]];
    if (arrives == null || leaves == null) return Array.from({ length: ARC }, (): Vec2 => [x, y]);
    // the straight parts touch on the right of the direction in which they run
    const whole = 2 * Math.PI;
    const turn = r > 0 ? (((leaves - arrives) % whole) + whole) % whole : -((((arrives - leaves) % whole) + whole) % whole);
    return Array.from({ length: ARC }, (_, i): Vec2 => {
      const angle = arrives + (turn * i) / (ARC - 1);
      return [x + r * Math.sin(angle), y - r * Math.cos(angle)];
    });
  });
}

/** A line of constant width through points that may change: a strip of triangles, with mitred corners. */
export class Strip extends BufferGeometry {
  private readonly places: BufferAttribute;

  constructor(
    private readonly most: number,
    private readonly width: number,
  ) {
    super();
    this.places = new BufferAttribute(new Float32Array(most * 6), 3);
    this.setAttribute("position", this.places);
    const corners: number[] = [];
    for (let k = 0; k + 1 < most; k++) corners.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2);
    this.setIndex(corners);
  }

  /** Leads the line through these points. */
  through(points: readonly Vec2[]): this {
    const count = Math.min(points.length, this.most);
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

/** A coil spring seen from the side: from (0, 0) to (length, 0), with straight ends. */
export function coil(length: number, radius: number, turns: number, lead: number): Vec2[] {
  const ends = Math.min(lead, 0.2 * length);
  const points: Vec2[] = [[0, 0]];
  const steps = turns * 10;
  for (let k = 0; k <= steps; k++) {
    const part = k / steps;
    points.push([ends + (length - 2 * ends) * part, radius * Math.sin(2 * Math.PI * turns * part)]);
  }
  points.push([length, 0]);
  return points;
}
