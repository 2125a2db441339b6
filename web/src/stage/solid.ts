/** Wires, plates and solids of revolution: mechanisms in space. */
import { CatmullRomCurve3, CylinderGeometry, ExtrudeGeometry, Group, LatheGeometry, Matrix4, type Mesh, type Object3D, SphereGeometry, TubeGeometry, Vector2, Vector3 } from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Poses } from "../motion";
import { unpacked } from "../numbers";
import { HANGING, hang, turned, world } from "../places";
import type * as scenes from "../scene";
import type { Selection } from "../store";
import { type Artist, type Drawn, type Paints, type Shape, axesOf, framed, mesh } from "./drawn";
import { type Vec2, cornersOf, polygon, rounded, tightened } from "./shapes";

/** Sides of round bars, and the angle above which an edge of a solid looks sharp, rad. */
const SIDES = 24;
const SHARP = 0.5;

const UP = new Vector3(0, 1, 0);

export class SolidArtist implements Artist {
  constructor(
    private readonly paints: Paints,
    private readonly view: scenes.View,
  ) {}

  draw(shape: Shape, belongs: Selection | null): Drawn | null {
    if (shape.kind === "solid") return this.solid(shape, belongs);
    if (shape.thick === 0) return null;
    return shape.kind === "area" ? this.plate(shape, belongs) : shape.frame === null ? this.bars(shape, belongs) : this.wire(shape, shape.frame, belongs);
  }

  private solid(solid: scenes.Solid, belongs: Selection | null): Drawn {
    const geometry = new LatheGeometry(solid.profile.map(([height, radius]) => new Vector2(radius, height)), SIDES);
    const object = mesh(toCreasedNormals(geometry, SHARP), this.paints.of(solid.color, false), 0, belongs);
    object.position.set(...solid.base);
    object.quaternion.setFromUnitVectors(UP, new Vector3(...solid.axis));
    return framed(solid.frame, object);
  }

  private wire(line: scenes.Stroke, frame: scenes.ShapeFrame, belongs: Selection | null): Drawn {
    const path = corners(line.corners);
    const paint = this.paints.of(line.color, false);
    if (path.length > 2) {
      const tube = mesh(new TubeGeometry(new CatmullRomCurve3(path, line.closed), 2 * path.length, line.thick, 8, line.closed), paint, 0, belongs);
      const ends = line.closed ? [] : [path[0]!, path[path.length - 1]!].map((end) => mesh(new SphereGeometry(line.thick, 12, 8).translate(end.x, end.y, end.z), paint, 0, belongs));
      return framed(frame, tube, ...ends);
    }
    const bar = mesh(new CylinderGeometry(line.thick, line.thick, 1, SIDES), paint, 0, belongs);
    stretch(bar, path[0]!, path[1]!);
    return framed(frame, bar);
  }

  /** Bars between places or, with radii, pieces of a belt around wheels. */
  private bars(line: scenes.Stroke, belongs: Selection | null): Drawn {
    const paint = this.paints.of(line.color, false);
    const belt = line.radii.length > 0;
    const count = belt ? cornersOf(line.radii) : line.slack > 0 ? HANGING - 1 : line.through.length - 1;
    const bars = Array.from({ length: count }, () => mesh(new CylinderGeometry(line.thick, line.thick, 1, belt ? 8 : SIDES), paint, 0, belongs));
    const update = (poses: Poses) => {
      const given = belt ? around(line, poses) : line.through.map((spot) => world(poses, spot));
      const places = line.slack > 0 ? hang(given[0]!, given[1]!, line.slack, this.view) : given;
      bars.forEach((bar, k) => stretch(bar, places[k]!, places[(k + 1) % places.length]!, line.inset));
    };
    return { object: new Group().add(...bars), update };
  }

  private plate(area: scenes.Area, belongs: Selection | null): Drawn {
    const places = area.frame === null ? area.through.map(({ at }) => new Vector3(...at)) : corners(area.corners);
    const middle = places.reduce((sum, place) => sum.add(place), new Vector3()).divideScalar(places.length);
    const plane = planeOf(new Vector3(...area.axis));
    const inside = (place: Vector3): Vec2 => flat(plane, place.clone().sub(middle));
    const outline = places.map(inside);
    const shape = polygon(area.radius > 0 ? rounded(outline, area.radius) : outline);
    const hole = corners(area.hole).map(inside);
    if (hole.length > 0) shape.holes.push(polygon(hole));
    const geometry = new ExtrudeGeometry(shape, { depth: area.thick, bevelEnabled: false }).translate(0, 0, -area.thick / 2);
    const object: Mesh = mesh(geometry, this.paints.of(area.color, false), 0, belongs);
    object.applyMatrix4(plane.clone().setPosition(middle));
    return framed(area.frame ?? axesOf(area.through[0]!.body), object);
  }
}

/** A belt as places, in the plane across the axis of its wheels. */
function around(line: scenes.Stroke, poses: Poses): Vector3[] {
  const centers = line.through.map((spot) => world(poses, spot));
  const plane = planeOf(turned(poses, line.through[0]!.body, line.axis, new Vector3()));
  const path = tightened(centers.map((place) => flat(plane, place.clone().sub(centers[0]!))), line.radii, line.closed);
  return path.map(([x, y]) => new Vector3(x, y, 0).applyMatrix4(plane).add(centers[0]!));
}

/** Axes of which the third is a given one. */
function planeOf(axis: Vector3): Matrix4 {
  const [x, y, z] = [Math.abs(axis.x), Math.abs(axis.y), Math.abs(axis.z)];
  const across = (x <= y && x <= z ? new Vector3(1, 0, 0) : y <= z ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1)).cross(axis).normalize();
  return new Matrix4().makeBasis(across, axis.clone().cross(across), axis);
}

function flat(plane: Matrix4, place: Vector3): Vec2 {
  const { x, y } = place.applyMatrix4(plane.clone().transpose());
  return [x, y];
}

function corners(numbers: scenes.Numbers): Vector3[] {
  const values = unpacked(numbers);
  return Array.from({ length: numbers.shape[0] ?? 0 }, (_, k) => new Vector3().fromArray(values, 3 * k));
}

/** Leads a cylinder of length 1 from one place to another, or to less by lengths at its ends. */
function stretch(object: Object3D, from: Vector3, to: Vector3, inset: readonly [number, number] = [0, 0]): void {
  const along = to.clone().sub(from);
  const length = along.length();
  const left = length - inset[0] - inset[1];
  if (length > 0) object.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
  object.position.copy(from).addScaledVector(along, inset[0] + left / 2);
  object.scale.y = Math.max(left, 1e-9);
}
