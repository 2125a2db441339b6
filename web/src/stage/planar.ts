/** Mechanisms in the plane, drawn as textbooks draw them. */
import { Group, Object3D, Vector3 } from "three";
import type * as scenes from "../scene";
import { type Vec3, turned, world } from "../places";
import type { Selection } from "../store";
import { type Drawn, type Paints, between, mesh } from "./drawn";
import { ORDER, Pen, flat, place } from "./pen";
import { PlanarCouplings } from "./planar-couplings";
import { PlanarForces } from "./planar-forces";
import { Strip, type Vec2, disc, filled, plate, polygon } from "./shapes";
import { colorOf } from "./theme";

const a = new Vector3();
const b = new Vector3();

export class PlanarArtist extends Pen {
  private readonly supported = new Set<string>();
  private readonly forces: PlanarForces;
  private readonly couplings: PlanarCouplings;

  constructor(scene: scenes.Scene, paints: Paints) {
    super(scene, paints);
    this.forces = new PlanarForces(scene, paints);
    this.couplings = new PlanarCouplings(scene, paints);
  }

  /** A body: a plate around the places that it connects, in its own axes. */
  body(body: scenes.Body, index: number): Object3D {
    const group = new Group();
    const belongs: Selection = { kind: "body", index };
    const corners = flatCorners(body);
    const alone = corners.length < 2;
    const radius = alone ? 1.4 * this.size : 0.85 * this.size;
    const order = this.layer(index);
    const edge = this.paints.flat((colors) => colorOf(colors, body.color));
    const inside = this.paints.flat((colors) => between(colorOf(colors, body.color), colors.background, 0.62));
    group.add(mesh(filled(plate(corners, radius)), edge, order, belongs));
    group.add(mesh(filled(plate(corners, radius - 1.6 * this.line)), inside, order + 0.0005, belongs));
    return group;
  }

  /** Where a body is among the others: small ones are over large ones. */
  private layer(index: number): number {
    const corners = flatCorners(this.scene.bodies[index]!);
    const wide = Math.max(0, ...corners.flatMap((p) => corners.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1]))));
    return this.sized(wide) + index / 1000;
  }

  /** A mark of the centre of mass: a circle with two black quarters. */
  center(at: Vec3): Object3D {
    const group = new Group();
    const radius = 0.55 * this.size;
    group.add(mesh(disc(radius), this.ink(), ORDER.mark), mesh(disc(0.85 * radius), this.paper(), ORDER.mark + 0.1));
    for (const begin of [0, Math.PI]) {
      const quarter: Vec2[] = [[0, 0]];
      for (let k = 0; k <= 8; k++) quarter.push([0.85 * radius * Math.cos(begin + (k * Math.PI) / 16), 0.85 * radius * Math.sin(begin + (k * Math.PI) / 16)]);
      group.add(mesh(filled(polygon(quarter)), this.ink(), ORDER.mark + 0.2));
    }
    group.position.set(...at);
    return group;
  }

  symbol(symbol: scenes.Scene["symbols"][number], index: number): Drawn | null {
    const belongs: Selection = { kind: "symbol", index };
    switch (symbol.kind) {
      case "pin":
        return this.pin(symbol, belongs);
      case "guide":
        return this.guide(symbol, belongs);
      case "rod":
        return this.rod(symbol, belongs);
      case "weld":
        return this.weld(symbol, belongs);
      case "spring":
        return this.forces.spring(symbol, belongs);
      case "bushing":
        return this.forces.bushing(symbol, belongs);
      case "coil":
        return this.forces.torsion(symbol, belongs);
      case "drive":
        return symbol.b === null ? this.forces.turning(symbol, belongs) : this.forces.pushing(symbol, belongs);
      case "load":
        return this.forces.load(symbol, belongs);
      case "gear":
        return this.couplings.gear(symbol, belongs);
      case "belt":
        return this.couplings.belt(symbol, belongs);
      case "rope":
        return this.couplings.rope(symbol, belongs);
      case "outline":
        return this.couplings.outline(symbol, belongs);
      default:
        return null; // joints in space
    }
  }

  // -- joints

  private pin(symbol: scenes.Pin, belongs: Selection): Drawn {
    const group = new Group();
    group.add(mesh(disc(0.52 * this.size), this.ink(), ORDER.pin, belongs), mesh(disc(0.33 * this.size), this.paper(), ORDER.pin + 0.1, belongs));
    for (const spot of [symbol.a, symbol.b]) if (spot.body === 0) this.support(group, spot.at);
    return { object: group, update: (poses) => void group.position.copy(world(poses, symbol.b, a)) };
  }

  /** The triangle and the hatched line on which a pin of the ground stands. */
  private support(group: Group, at: Vec3): void {
    const key = at.map((x) => x.toPrecision(9)).join();
    if (this.supported.has(key)) return;
    this.supported.add(key);
    const s = this.size;
    const triangle: Vec2[] = [
      [0, 0],
      [-1.25 * s, -1.9 * s],
      [1.25 * s, -1.9 * s],
    ];
    group.add(mesh(filled(plate(triangle, 0.1 * s)), this.ink(), ORDER.support));
    group.add(mesh(filled(plate(triangle.map(([x, y]): Vec2 => [0.8 * x, 0.82 * y - 0.18 * s]), 0.02 * s)), this.paper(), ORDER.support + 0.1));
    this.hatched(group, [-1.9 * s, -2.0 * s], [1.9 * s, -2.0 * s], -1, ORDER.support);
  }

  /** A line with hatching on one side. */
  private hatched(group: Group, from: Vec2, to: Vec2, side: number, order: number): void {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    group.add(mesh(new Strip(2, this.line).through([from, to]), this.ground(), order));
    const step = 0.62 * this.size;
    const count = Math.max(1, Math.floor(length / step));
    for (let k = 0; k < count; k++) {
      const along = ((k + 0.75) * length) / count;
      const top: Vec2 = [from[0] + ux * along, from[1] + uy * along];
      const below: Vec2 = [top[0] + 0.55 * this.size * (-ux - side * uy), top[1] + 0.55 * this.size * (-uy + side * ux)];
      group.add(mesh(new Strip(2, 0.75 * this.line).through([top, below]), this.ground(), order));
    }
  }

  private guide(symbol: scenes.Guide, belongs: Selection): Drawn {
    const rail = new Group();
    const s = this.size;
    const along: Vec2 = [symbol.axis[0], symbol.axis[1]];
    const reach = (x: number, off: number): Vec2 => [along[0] * x - along[1] * off, along[1] * x + along[0] * off];
    if (symbol.block === "none") {
      const face = new Strip(2, 2 * this.line).through([reach(symbol.lower, 0), reach(symbol.upper, 0)]);
      rail.add(mesh(face, this.ink(), ORDER.body + 0.5, belongs));
      return { object: rail, update: (poses) => place(rail, poses, symbol.a.body, symbol.a.at) };
    }
    const block = symbol.block === "block";
    const gap = block ? 0.95 * s : 0.62 * s;
    if (symbol.a.body === 0) {
      this.hatched(rail, reach(symbol.lower, -gap), reach(symbol.upper, -gap), -1, ORDER.guide);
      this.hatched(rail, reach(symbol.upper, gap), reach(symbol.lower, gap), -1, ORDER.guide);
    } else {
      // a plate with a hole, just over the body to which it belongs
      const order = this.layer(symbol.a.body);
      const { color } = this.scene.bodies[symbol.a.body]!;
      const edge = this.paints.flat((colors) => colorOf(colors, color));
      const inside = this.paints.flat((colors) => between(colorOf(colors, color), colors.background, 0.62));
      const slot = (wide: number) => filled(plate([reach(symbol.lower, 0), reach(symbol.upper, 0)], wide));
      const parts = [
        [gap + 0.75 * s, edge],
        [gap + 0.75 * s - 1.6 * this.line, inside],
        [gap + this.line, edge],
        [gap, this.paper()],
      ] as const;
      parts.forEach(([wide, paint], k) => rail.add(mesh(slot(wide), paint, order + 0.0006 + 0.0001 * k, belongs)));
    }
    const slider = new Group();
    if (block) {
      const box = (x: number, y: number): Vec2[] => [
        [-x, -y],
        [x, -y],
        [x, y],
        [-x, y],
      ];
      slider.add(mesh(filled(polygon(box(1.5 * s, 0.88 * s))), this.ink(), ORDER.block, belongs));
      slider.add(mesh(filled(polygon(box(1.5 * s - this.line, 0.88 * s - this.line))), this.soft(), ORDER.block + 0.1, belongs));
    }
    slider.add(mesh(disc(0.52 * s), this.ink(), ORDER.pin, belongs), mesh(disc(0.33 * s), this.paper(), ORDER.pin + 0.1, belongs));
    const object = new Group().add(rail, slider);
    return {
      object,
      update: (poses) => {
        place(rail, poses, symbol.a.body, symbol.a.at);
        slider.position.copy(world(poses, symbol.b, a));
        const direction = turned(poses, symbol.a.body, symbol.axis, b);
        slider.rotation.z = Math.atan2(direction.y, direction.x);
      },
    };
  }

  private rod(symbol: scenes.Rod, belongs: Selection): Drawn {
    const strip = new Strip(2, 2 * this.line);
    const object = new Group().add(mesh(strip, this.ink(), ORDER.rope, belongs));
    const ends = [symbol.a, symbol.b].map(() => mesh(disc(0.4 * this.size), this.ink(), ORDER.pin, belongs));
    object.add(...ends);
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, a);
        world(poses, symbol.b, b);
        strip.through([flat(a), flat(b)]);
        ends[0]!.position.copy(a);
        ends[1]!.position.copy(b);
      },
    };
  }

  private weld(symbol: scenes.Weld, belongs: Selection): Drawn {
    const s = 0.7 * this.size;
    const object = mesh(
      filled(
        polygon([
          [-s, -s],
          [s, -s],
          [s, s],
          [-s, s],
        ]),
      ),
      this.ink(),
      ORDER.pin,
      belongs,
    );
    return { object, update: (poses) => place(object, poses, symbol.b.body, symbol.b.at) };
  }

}

function flatCorners(body: scenes.Body): Vec2[] {
  const corners = body.corners.map(([x, y]): Vec2 => [x, y]);
  if (corners.length === 0 && body.center !== null) corners.push([body.center[0], body.center[1]]);
  return corners;
}
