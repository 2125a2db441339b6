/** Mechanisms in space: solid links and the symbols of joints, to scale. */
import {
  BoxGeometry,
  type BufferGeometry,
  ConeGeometry,
  Curve,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  Matrix4,
  Object3D,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import type * as scenes from "../scene";
import { type Vec3, attitude, turned, world } from "../places";
import type { Selection } from "../store";
import { type Drawn, type Paints, mesh } from "./drawn";
import { type Vec2, hull, polygon, toothed } from "./shapes";
import { colorOf } from "./theme";

const UP = new Vector3(0, 1, 0);
const a = new Vector3();
const b = new Vector3();
const c = new Vector3();

export class SpatialArtist {
  private readonly size: number;

  constructor(
    private readonly scene: scenes.Scene,
    private readonly paints: Paints,
  ) {
    this.size = scene.detail;
  }

  /** A body: a tube between two places, a plate through places of a plane, else the hull of its places. */
  body(body: scenes.Body, index: number): Object3D {
    const belongs: Selection = { kind: "body", index };
    const color = this.paints.solid((colors) => colorOf(colors, body.color));
    const corners = body.corners.map((at) => new Vector3(...at));
    if (corners.length === 0) corners.push(new Vector3(...(body.center ?? [0, 0, 0])));
    const group = new Group();
    const radius = 0.55 * this.size;
    const spread = spans(corners);
    if (spread.rank === 0) {
      const solid = mesh(new BoxGeometry(2.2 * this.size, 2.2 * this.size, 2.2 * this.size), color, 0, belongs);
      solid.position.copy(corners[0]!);
      return group.add(solid);
    }
    if (spread.rank === 1) {
      const along = corners.map((corner) => corner.clone().sub(corners[0]!).dot(spread.first));
      const ends = [Math.min(...along), Math.max(...along)].map((x) => corners[0]!.clone().addScaledVector(spread.first, x));
      return group.add(tube(ends[0]!, ends[1]!, radius, color, belongs));
    }
    if (spread.rank === 2) {
      const across = new Vector3().crossVectors(spread.first, spread.second);
      const flat = corners.map((corner): Vec2 => {
        const from = corner.clone().sub(corners[0]!);
        return [from.dot(spread.first), from.dot(spread.second)];
      });
      const border = hull(flat);
      const thick = 0.6 * this.size;
      const solid = mesh(new ExtrudeGeometry(polygon(border), { depth: thick, bevelEnabled: false }), color, 0, belongs);
      solid.applyMatrix4(new Matrix4().makeBasis(spread.first, spread.second, across).setPosition(corners[0]!.clone().addScaledVector(across, -thick / 2)));
      group.add(solid);
      border.forEach((from, k) => {
        const to = border[(k + 1) % border.length]!;
        const [one, two] = [from, to].map(([x, y]) => corners[0]!.clone().addScaledVector(spread.first, x).addScaledVector(spread.second, y));
        group.add(tube(one!, two!, 0.8 * radius, color, belongs));
      });
      return group;
    }
    return group.add(mesh(new ConvexGeometry(corners), color, 0, belongs));
  }

  /** A mark of the centre of mass. */
  center(at: Vec3): Object3D {
    const group = new Group();
    group.add(mesh(new SphereGeometry(0.45 * this.size, 16, 12), this.metal()));
    for (const turn of [0, Math.PI / 2]) {
      const ring = mesh(new TorusGeometry(0.62 * this.size, 0.1 * this.size, 8, 32), this.ink());
      ring.rotation.x = turn;
      group.add(ring);
    }
    group.position.set(...at);
    return group;
  }

  symbol(symbol: scenes.Scene["symbols"][number], index: number): Drawn | null {
    const belongs: Selection = { kind: "symbol", index };
    switch (symbol.kind) {
      case "pin":
        return this.pin(symbol, belongs);
      case "ball":
        return this.ball(symbol, belongs);
      case "cross":
        return this.cross(symbol, belongs);
      case "guide":
        return this.guide(symbol, belongs);
      case "face":
        return this.face(symbol, belongs);
      case "rod":
        return this.link(symbol.a, symbol.b, 0.25 * this.size, belongs);
      case "weld":
        return this.fixed(new BoxGeometry(1.5 * this.size, 1.5 * this.size, 1.5 * this.size), symbol.b, belongs);
      case "spring":
        return this.spring(symbol, belongs);
      case "bushing":
        return this.fixed(new SphereGeometry(0.9 * this.size, 20, 14), symbol.a, belongs);
      case "coil":
        return this.aligned(new TorusGeometry(1.3 * this.size, 0.16 * this.size, 8, 40, 1.8 * Math.PI), new Vector3(0, 0, 1), symbol.a, symbol.axis, belongs, this.ink());
      case "drive":
        return symbol.b === null ? this.turning(symbol, belongs) : this.pushing(symbol, belongs);
      case "load":
        return symbol.direction.every((x) => x === 0) ? null : this.load(symbol, belongs);
      case "gear":
        return this.gear(symbol, belongs);
      case "belt":
        return this.link(symbol.a, symbol.b, 0.12 * this.size, belongs);
      case "rope":
        return this.rope(symbol, belongs);
      case "outline":
        return null; // cams are planar
    }
  }

  // -- joints

  private pin(symbol: scenes.Pin, belongs: Selection): Drawn {
    const s = this.size;
    const object = new Group();
    object.add(mesh(new CylinderGeometry(0.95 * s, 0.95 * s, 2.2 * s, 24), this.metal(), 0, belongs));
    object.add(mesh(new CylinderGeometry(0.42 * s, 0.42 * s, 3 * s, 16), this.ink(), 0, belongs));
    if (symbol.a.body === 0 || symbol.b.body === 0) {
      const foot = mesh(new BoxGeometry(2.6 * s, 2.4 * s, 0.5 * s), this.ground(), 0, belongs);
      foot.position.z = -1.2 * s;
      object.add(foot);
    }
    const grounded = symbol.a.body === 0 || symbol.b.body === 0;
    const down = new Vector3(...this.scene.gravity);
    if (down.lengthSq() === 0) down.set(...this.scene.view.up).negate();
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, object.position);
        turned(poses, symbol.a.body, symbol.axis, a);
        if (grounded) basis(object, a, down);
        else object.quaternion.setFromUnitVectors(UP, a.normalize());
      },
    };
  }

  private ball(symbol: scenes.Ball, belongs: Selection): Drawn {
    const s = this.size;
    const object = new Group();
    object.add(mesh(new SphereGeometry(s, 24, 18), this.metal(), 0, belongs));
    if (symbol.a.body === 0 || symbol.b.body === 0) object.add(this.foot({ body: 0, at: [0, 0, 0] }, belongs));
    return { object, update: (poses) => void world(poses, symbol.a, object.position) };
  }

  private cross(symbol: scenes.Cross, belongs: Selection): Drawn {
    const s = this.size;
    const arms = [0, 1].map(() => mesh(new CylinderGeometry(0.4 * s, 0.4 * s, 3.4 * s, 16), this.metal(), 0, belongs));
    const object = new Group().add(...arms, mesh(new SphereGeometry(0.65 * s, 16, 12), this.ink(), 0, belongs));
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, object.position);
        arms[0]!.quaternion.setFromUnitVectors(UP, turned(poses, symbol.a.body, symbol.arm_a, a).normalize());
        arms[1]!.quaternion.setFromUnitVectors(UP, turned(poses, symbol.b.body, symbol.arm_b, a).normalize());
      },
    };
  }

  private guide(symbol: scenes.Guide, belongs: Selection): Drawn {
    const s = this.size;
    const length = symbol.upper - symbol.lower;
    const round = symbol.block === "sleeve";
    const rail = round
      ? mesh(new CylinderGeometry(0.35 * s, 0.35 * s, length, 16), this.ground(), 0, belongs)
      : mesh(new BoxGeometry(0.7 * s, length, 0.7 * s), this.ground(), 0, belongs);
    const block = round
      ? mesh(new CylinderGeometry(0.85 * s, 0.85 * s, 2.6 * s, 24), this.metal(), 0, belongs)
      : mesh(new BoxGeometry(1.7 * s, 2.6 * s, 1.7 * s), this.metal(), 0, belongs);
    const object = new Group().add(rail, block);
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, c);
        turned(poses, symbol.a.body, symbol.axis, a).normalize();
        turned(poses, symbol.a.body, symbol.normal, b);
        rail.position.copy(c).addScaledVector(a, (symbol.lower + symbol.upper) / 2);
        basis(rail, a.clone(), b.clone());
        world(poses, symbol.b, block.position);
        block.quaternion.copy(rail.quaternion);
      },
    };
  }

  private face(symbol: scenes.Face, belongs: Selection): Drawn {
    const s = this.size;
    const [below, above] = [this.ground(), this.metal()].map((color, k) => mesh(new BoxGeometry((5 - 2 * k) * s, 0.3 * s, (5 - 2 * k) * s), color, 0, belongs));
    const object = new Group().add(below!, above!);
    return {
      object,
      update: (poses) => {
        turned(poses, symbol.a.body, symbol.normal, a).normalize();
        world(poses, symbol.a, below!.position).addScaledVector(a, -0.15 * s);
        world(poses, symbol.b, above!.position).addScaledVector(a, 0.15 * s);
        below!.quaternion.setFromUnitVectors(UP, a);
        above!.quaternion.copy(below!.quaternion);
      },
    };
  }

  // -- forces and couplings

  private spring(symbol: scenes.Spring, belongs: Selection): Drawn {
    const s = this.size;
    const object = new Group();
    if (symbol.elastic) object.add(mesh(new TubeGeometry(new Helix(8, 0.8 * s), 220, 0.13 * s, 8), this.ink(), 0, belongs));
    if (symbol.damped) {
      const body = mesh(new CylinderGeometry(0.5 * s, 0.5 * s, 0.4, 20), this.metal(), 0, belongs);
      const rod = mesh(new CylinderGeometry(0.18 * s, 0.18 * s, 1, 12), this.ink(), 0, belongs);
      body.position.y = 0.35;
      rod.position.y = 0.5;
      object.add(body, rod);
    }
    const feet = [symbol.a, symbol.b].filter((spot) => spot.body === 0).map((spot) => this.foot(spot, belongs));
    const whole = new Group().add(object, ...feet);
    return {
      object: whole,
      update: (poses) => {
        world(poses, symbol.a, a);
        world(poses, symbol.b, b).sub(a);
        object.position.copy(a);
        const length = b.length();
        object.scale.set(1, Math.max(length, 1e-9), 1);
        if (length > 0) object.quaternion.setFromUnitVectors(UP, b.divideScalar(length));
      },
    };
  }

  /** What something on the ground stands on. */
  private foot(spot: scenes.Spot, belongs: Selection): Object3D {
    const s = this.size;
    const up = new Vector3(...this.scene.view.up);
    const found = mesh(new CylinderGeometry(0.7 * s, 1.1 * s, 0.8 * s, 24), this.ground(), 0, belongs);
    found.position.set(...spot.at).addScaledVector(up, -0.3 * s);
    found.quaternion.setFromUnitVectors(UP, up);
    return found;
  }

  private turning(symbol: scenes.Drive, belongs: Selection): Drawn {
    const s = this.size;
    const color = this.paints.solid((colors) => colors.drive);
    const object = new Group().add(mesh(new TorusGeometry(2.2 * s, 0.16 * s, 8, 48, 4.4), color, 0, belongs));
    const tip = mesh(new ConeGeometry(0.5 * s, 1.3 * s, 16), color, 0, belongs);
    tip.position.set(2.2 * s * Math.cos(4.5), 2.2 * s * Math.sin(4.5), 0);
    tip.rotation.z = 4.5;
    object.add(tip);
    const axis = new Vector3(0, 0, 1);
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, object.position);
        object.quaternion.setFromUnitVectors(axis, turned(poses, symbol.a.body, symbol.axis, a).normalize());
      },
    };
  }

  private pushing(symbol: scenes.Drive, belongs: Selection): Drawn {
    const moved = symbol.b ?? symbol.a;
    const { object, update } = this.arrow(moved, new Vector3(0, 0, 1), belongs);
    return {
      object,
      update: (poses) => {
        update!(poses);
        turned(poses, symbol.a.body, symbol.axis, b);
        if (b.lengthSq() === 0) b.copy(object.position).sub(world(poses, symbol.a, a));
        if (b.lengthSq() > 0) object.quaternion.setFromUnitVectors(UP, b.normalize());
      },
    };
  }

  private load(symbol: scenes.Load, belongs: Selection): Drawn {
    const { object, update } = this.arrow(symbol.a, new Vector3(...symbol.direction), belongs);
    return {
      object,
      update: (poses) => {
        update!(poses);
        if (symbol.follows) object.quaternion.setFromUnitVectors(UP, turned(poses, symbol.a.body, symbol.direction, b).normalize());
      },
    };
  }

  private arrow(at: scenes.Spot, direction: Vector3, belongs: Selection): Drawn {
    const s = this.size;
    const color = this.paints.solid((colors) => colors.drive);
    const shaft = mesh(new CylinderGeometry(0.2 * s, 0.2 * s, 4 * s, 12), color, 0, belongs);
    const tip = mesh(new ConeGeometry(0.55 * s, 1.4 * s, 16), color, 0, belongs);
    shaft.position.y = 2 * s;
    tip.position.y = 4.4 * s;
    const object = new Group().add(shaft, tip);
    object.quaternion.setFromUnitVectors(UP, direction.normalize());
    return { object, update: (poses) => void world(poses, at, object.position) };
  }

  private gear(symbol: scenes.Gear, belongs: Selection): Drawn {
    const thick = 1.2 * this.size;
    const outline = symbol.teeth > 0 ? toothed(symbol.radius, symbol.teeth, symbol.internal) : Array.from({ length: 64 }, (_, k): Vec2 => [symbol.radius * Math.cos((k * Math.PI) / 32), symbol.radius * Math.sin((k * Math.PI) / 32)]);
    let shape = polygon(outline);
    if (symbol.internal) {
      const outer = symbol.radius + Math.max(2.4 * this.size, symbol.teeth > 0 ? (4.4 * symbol.radius) / symbol.teeth : 0);
      const ring = polygon(Array.from({ length: 96 }, (_, k): Vec2 => [outer * Math.cos((k * Math.PI) / 48), outer * Math.sin((k * Math.PI) / 48)]));
      ring.holes.push(shape);
      shape = ring;
    }
    const geometry = new ExtrudeGeometry(shape, { depth: thick, bevelEnabled: false }).translate(0, 0, -thick / 2);
    const color = symbol.a.body === 0 ? this.ground() : this.paints.solid((colors) => colorOf(colors, this.scene.bodies[symbol.a.body]!.color), 0.9);
    const object = new Group();
    const wheel = mesh(geometry, color, 0, belongs);
    const axis = new Vector3(...symbol.axis).normalize();
    const zero = new Vector3(...symbol.zero);
    wheel.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(zero, axis.clone().cross(zero), axis));
    object.add(wheel);
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, object.position);
        attitude(poses, symbol.a.body, object.quaternion);
      },
    };
  }

  private rope(symbol: scenes.Rope, belongs: Selection): Drawn {
    const parts = symbol.through.slice(1).map((spot, k) => this.link(symbol.through[k]!, spot, 0.12 * this.size, belongs));
    const object = new Group().add(...parts.map((part) => part.object));
    return { object, update: (poses) => parts.forEach((part) => part.update!(poses)) };
  }

  /** A cylinder from one place to another. */
  private link(from: scenes.Spot, to: scenes.Spot, radius: number, belongs: Selection): Drawn {
    const object = mesh(new CylinderGeometry(radius, radius, 1, 16), this.ink(), 0, belongs);
    return { object, update: (poses) => stretch(object, world(poses, from, a), world(poses, to, b)) };
  }

  private fixed(geometry: BufferGeometry, spot: scenes.Spot, belongs: Selection): Drawn {
    const object = mesh(geometry, this.metal(), 0, belongs);
    return {
      object,
      update: (poses) => {
        world(poses, spot, object.position);
        attitude(poses, spot.body, object.quaternion);
      },
    };
  }

  private aligned(geometry: BufferGeometry, own: Vector3, spot: scenes.Spot, axis: Vec3, belongs: Selection, color = this.metal()): Drawn {
    const object = mesh(geometry, color, 0, belongs);
    return {
      object,
      update: (poses) => {
        world(poses, spot, object.position);
        object.quaternion.setFromUnitVectors(own, turned(poses, spot.body, axis, a).normalize());
      },
    };
  }

  private readonly ink = () => this.paints.solid((colors) => colors.ink);
  private readonly metal = () => this.paints.solid((colors) => colors.metal);
  private readonly ground = () => this.paints.solid((colors) => colors.ground);
}

/** A coil around the y axis from 0 to 1, with straight ends. */
class Helix extends Curve<Vector3> {
  constructor(
    private readonly turns: number,
    private readonly radius: number,
  ) {
    super();
  }

  override getPoint(t: number, into = new Vector3()): Vector3 {
    const part = Math.min(1, Math.max(0, (t - 0.08) / 0.84));
    const fade = Math.min(1, 12 * t, 12 * (1 - t));
    const angle = 2 * Math.PI * this.turns * part;
    return into.set(fade * this.radius * Math.cos(angle), t, fade * this.radius * Math.sin(angle));
  }
}

function tube(from: Vector3, to: Vector3, radius: number, color: ReturnType<Paints["solid"]>, belongs: Selection): Object3D {
  const group = new Group();
  const shaft = mesh(new CylinderGeometry(radius, radius, 1, 20), color, 0, belongs);
  stretch(shaft, from, to);
  group.add(shaft);
  for (const end of [from, to]) {
    const knob = mesh(new SphereGeometry(radius, 16, 12), color, 0, belongs);
    knob.position.copy(end);
    group.add(knob);
  }
  return group;
}

function stretch(object: Object3D, from: Vector3, to: Vector3): void {
  const along = to.clone().sub(from);
  const length = along.length();
  object.position.copy(from).addScaledVector(along, 0.5);
  object.scale.set(1, Math.max(length, 1e-9), 1);
  if (length > 0) object.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
}

/** Turns an object so that its y axis is along one direction, and its z axis as far from another as possible. */
function basis(object: Object3D, along: Vector3, towards: Vector3): void {
  const y = along.clone().normalize();
  const z = towards.clone().negate();
  z.addScaledVector(y, -y.dot(z));
  if (z.lengthSq() < 1e-12) z.set(y.z, y.x, y.y).addScaledVector(y, -y.dot(new Vector3(y.z, y.x, y.y)));
  z.normalize();
  object.quaternion.copy(new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(new Vector3().crossVectors(y, z), y, z)));
}

/** How many dimensions points span, and two directions at right angles in which they do. */
function spans(points: readonly Vector3[]): { rank: number; first: Vector3; second: Vector3 } {
  const from = points.map((point) => point.clone().sub(points[0]!));
  const size = Math.max(...from.map((x) => x.length()));
  const first = new Vector3();
  const second = new Vector3();
  if (size === 0) return { rank: 0, first, second };
  first.copy(longest(from)).normalize();
  const rest = from.map((x) => x.clone().addScaledVector(first, -first.dot(x)));
  second.copy(longest(rest));
  if (second.length() < 1e-6 * size) return { rank: 1, first, second };
  second.normalize();
  const left = rest.map((x) => x.clone().addScaledVector(second, -second.dot(x)));
  return { rank: longest(left).length() < 1e-6 * size ? 2 : 3, first, second };
}

function longest(vectors: readonly Vector3[]): Vector3 {
  return vectors.reduce((best, x) => (x.lengthSq() > best.lengthSq() ? x : best));
}

