/** Mechanisms in the plane, drawn as textbooks draw them. */
import { Group, Object3D, Vector3 } from "three";
import type * as scenes from "../scene";
import { type Vec3, turned, world } from "../places";
import type { Poses } from "../motion";
import type { Selection } from "../store";
import { type Drawn, type Paints, between, mesh } from "./drawn";
import { Strip, type Vec2, coil, cornersOf, disc, filled, plate, polygon, tightened, toothed } from "./shapes";
import { colorOf } from "./theme";

/** What lies above what. */
const ORDER = { guide: 1, gear: 2, outline: 2.5, body: 3, rope: 20, spring: 21, block: 22, support: 23, pin: 24, drive: 26, mark: 27 };

const a = new Vector3();
const b = new Vector3();

export class PlanarArtist {
  private readonly size: number;
  private readonly line: number;
  private readonly supported = new Set<string>();

  constructor(
    private readonly scene: scenes.Scene,
    private readonly paints: Paints,
  ) {
    this.size = scene.detail;
    this.line = 0.16 * scene.detail;
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

  private sized(wide: number): number {
    return ORDER.body + 10 * (1 - Math.min(1, wide / (this.scene.size || 1)));
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
        return this.spring(symbol, belongs);
      case "bushing":
        return this.bushing(symbol, belongs);
      case "coil":
        return this.torsion(symbol, belongs);
      case "drive":
        return symbol.b === null ? this.turning(symbol, belongs) : this.pushing(symbol, belongs);
      case "load":
        return this.load(symbol, belongs);
      case "gear":
        return this.gear(symbol, belongs);
      case "belt":
        return this.belt(symbol, belongs);
      case "rope":
        return this.rope(symbol, belongs);
      case "outline":
        return this.outline(symbol, belongs);
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

  // -- forces

  private spring(symbol: scenes.Spring, belongs: Selection): Drawn {
    const s = this.size;
    const object = new Group();
    const turns = Math.round(Math.min(24, Math.max(6, (symbol.length || 12 * s) / (0.75 * s))));
    const both = symbol.elastic && symbol.damped;
    const wire = new Strip(turns * 10 + 3, 1.3 * this.line);
    const bars = [0, 1, 2, 3, 4].map(() => new Strip(2, 1.3 * this.line));
    if (symbol.elastic) object.add(mesh(wire, this.ink(), ORDER.spring, belongs));
    if (symbol.damped) object.add(...bars.map((bar) => mesh(bar, this.ink(), ORDER.spring, belongs)));
    const dots = [symbol.a, symbol.b].map(() => mesh(disc(0.34 * s), this.ink(), ORDER.pin + 0.2, belongs));
    object.add(...dots);
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, a);
        world(poses, symbol.b, b);
        dots[0]!.position.copy(a);
        dots[1]!.position.copy(b);
        const length = a.distanceTo(b) || 1e-12;
        const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
        const put = ([x, y]: Vec2): Vec2 => [a.x + ux * x - uy * y, a.y + uy * x + ux * y];
        const off = both ? 0.9 * s : 0;
        if (symbol.elastic) wire.through(coil(length, 0.75 * s, turns, 1.2 * s).map(([x, y]) => put([x, y + (x > 0 && x < length ? off : 0)])));
        if (symbol.damped) {
          const [from, to, half] = [0.38 * length, 0.62 * length, 0.55 * s];
          bars[0]!.through([put([0, -off]), put([from, -off])]); // to the cylinder
          bars[1]!.through([put([to + 0.1 * length, -off - half]), put([from, -off - half])]);
          bars[2]!.through([put([from, -off + half]), put([to + 0.1 * length, -off + half])]);
          bars[3]!.through([put([from, -off - half]), put([from, -off + half])]);
          bars[4]!.through([put([0.5 * length, -off]), put([length, -off])]); // the piston's rod
        }
      },
    };
  }

  private bushing(symbol: scenes.Bushing, belongs: Selection): Drawn {
    const object = mesh(disc(1.1 * this.size, 0.6 * this.size), this.ground(), ORDER.spring, belongs);
    return { object, update: (poses) => void object.position.copy(world(poses, symbol.a, a)) };
  }

  private torsion(symbol: scenes.Coil, belongs: Selection): Drawn {
    const points: Vec2[] = [];
    for (let k = 0; k <= 60; k++) {
      const angle = (k / 60) * 5 * Math.PI;
      const r = this.size * (0.6 + (1.1 * k) / 60);
      points.push([r * Math.cos(angle), r * Math.sin(angle)]);
    }
    const object = mesh(new Strip(61, this.line).through(points), this.ink(), ORDER.drive, belongs);
    return { object, update: (poses) => place(object, poses, symbol.a.body, symbol.a.at) };
  }

  /** A curved arrow around a pivot. */
  private turning(symbol: scenes.Drive, belongs: Selection): Drawn {
    const r = 2.1 * this.size;
    const points: Vec2[] = [];
    for (let k = 0; k <= 32; k++) points.push([r * Math.cos(0.4 + (4.2 * k) / 32), r * Math.sin(0.4 + (4.2 * k) / 32)]);
    const color = this.paints.flat((colors) => colors.drive);
    const object = new Group().add(mesh(new Strip(33, 1.8 * this.line).through(points), color, ORDER.drive, belongs));
    const end = 0.4 + 4.2;
    const tip = mesh(filled(polygon([[0.9 * this.size, 0], [-0.35 * this.size, 0.55 * this.size], [-0.35 * this.size, -0.55 * this.size]])), color, ORDER.drive, belongs);
    tip.position.set(r * Math.cos(end), r * Math.sin(end), 0);
    tip.rotation.z = end + Math.PI / 2;
    object.add(tip);
    if (symbol.prescribed) object.add(mesh(disc(0.3 * this.size), color, ORDER.drive, belongs));
    return { object, update: (poses) => void object.position.copy(world(poses, symbol.a, a)) };
  }

  /** A straight arrow along which something is driven. */
  private pushing(symbol: scenes.Drive, belongs: Selection): Drawn {
    const arrow = this.arrow(4 * this.size, belongs);
    return {
      object: arrow,
      update: (poses) => {
        const moved = symbol.b ?? symbol.a;
        turned(poses, symbol.a.body, symbol.axis, b);
        if (b.lengthSq() === 0) world(poses, moved, b).sub(world(poses, symbol.a, a));
        arrow.position.copy(world(poses, moved, a));
        arrow.rotation.z = Math.atan2(b.y, b.x);
      },
    };
  }

  private load(symbol: scenes.Load, belongs: Selection): Drawn | null {
    const [x, y] = symbol.direction;
    if (x === 0 && y === 0) return null;
    const arrow = this.arrow(4 * this.size, belongs);
    arrow.rotation.z = Math.atan2(y, x);
    return {
      object: arrow,
      update: (poses) => {
        arrow.position.copy(world(poses, symbol.a, a));
        if (!symbol.follows) return;
        const direction = turned(poses, symbol.a.body, symbol.direction, b);
        arrow.rotation.z = Math.atan2(direction.y, direction.x);
      },
    };
  }

  private arrow(length: number, belongs: Selection): Group {
    const color = this.paints.flat((colors) => colors.drive);
    const s = this.size;
    const tip: Vec2[] = [
      [length, 0],
      [length - 1.1 * s, 0.5 * s],
      [length - 1.1 * s, -0.5 * s],
    ];
    return new Group().add(
      mesh(new Strip(2, 1.8 * this.line).through([[0, 0], [length - s, 0]]), color, ORDER.drive, belongs),
      mesh(filled(polygon(tip)), color, ORDER.drive, belongs),
    );
  }

  // -- couplings

  private gear(symbol: scenes.Gear, belongs: Selection): Drawn {
    const object = new Group();
    const order = this.sized(2 * symbol.radius) - 0.2;
    const color = symbol.a.body === 0 ? this.ground() : this.paints.flat((colors) => colorOf(colors, this.scene.bodies[symbol.a.body]!.color));
    const light = this.paints.flat((colors) => between(colorOf(colors, this.scene.bodies[symbol.a.body]!.color), colors.background, 0.8));
    const rim = symbol.teeth > 0 ? toothed(symbol.radius, symbol.teeth, symbol.internal) : null;
    const turn = Math.atan2(symbol.zero[1], symbol.zero[0]);
    if (symbol.internal) {
      const outer = symbol.radius + Math.max(2.4 * this.size, symbol.teeth > 0 ? (4.4 * symbol.radius) / symbol.teeth : 0);
      const ring = plate([[0, 0]], outer);
      ring.holes.push(polygon(rim ?? circle(symbol.radius)));
      object.add(mesh(filled(ring), light, order, belongs));
      object.add(mesh(disc(outer, outer - this.line), color, order + 0.1, belongs));
      object.add(mesh(closedStrip(rim ?? circle(symbol.radius), this.line), color, order + 0.1, belongs));
    } else {
      object.add(mesh(filled(polygon(rim ?? circle(symbol.radius))), light, order, belongs));
      object.add(mesh(closedStrip(rim ?? circle(symbol.radius), this.line), color, order + 0.1, belongs));
      // a spoke shows that it turns
      object.add(mesh(new Strip(2, this.line).through([[0, 0], [0.82 * symbol.radius, 0]]), color, order + 0.1, belongs));
    }
    return {
      object,
      update: (poses) => {
        place(object, poses, symbol.a.body, symbol.a.at);
        object.rotation.z += turn;
      },
    };
  }

  private belt(symbol: scenes.Belt, belongs: Selection): Drawn {
    const strips = [new Strip(2, 1.3 * this.line), new Strip(2, 1.3 * this.line)];
    const object = new Group().add(...strips.map((strip) => mesh(strip, this.ink(), ORDER.rope, belongs)));
    return {
      object,
      update: (poses) => {
        world(poses, symbol.a, a);
        world(poses, symbol.b, b);
        const apart = a.distanceTo(b) || 1;
        const along = Math.atan2(b.y - a.y, b.x - a.x);
        const [r, other] = symbol.radii;
        const lean = Math.acos(Math.max(-1, Math.min(1, (r - (symbol.crossed ? -other : other)) / apart)));
        strips.forEach((strip, k) => {
          const angle = along + (k === 0 ? lean : -lean);
          const far = symbol.crossed ? angle + Math.PI : angle;
          strip.through([
            [a.x + r * Math.cos(angle), a.y + r * Math.sin(angle)],
            [b.x + other * Math.cos(far), b.y + other * Math.sin(far)],
          ]);
        });
      },
    };
  }

  private rope(symbol: scenes.Rope, belongs: Selection): Drawn {
    const radii = symbol.radii.length > 0 ? symbol.radii : symbol.through.map(() => 0);
    const strip = new Strip(cornersOf(radii), 1.1 * this.line);
    const wheels = symbol.through.flatMap((spot, k) => {
      const radius = Math.abs(radii[k]!);
      if (radius === 0) return [];
      const wheel = new Group().add(mesh(disc(radius), this.soft(), ORDER.gear, belongs), mesh(disc(radius, radius - this.line), this.ink(), ORDER.gear + 0.1, belongs));
      return [{ spot, wheel }];
    });
    const object = new Group().add(mesh(strip, this.ink(), ORDER.rope, belongs), ...wheels.map(({ wheel }) => wheel));
    return {
      object,
      update: (poses) => {
        strip.through(tightened(symbol.through.map((spot) => flat(world(poses, spot, a))), radii));
        for (const { spot, wheel } of wheels) world(poses, spot, wheel.position);
      },
    };
  }

  private outline(symbol: scenes.Outline, belongs: Selection): Drawn {
    const corners = symbol.corners.map(([x, y]): Vec2 => [x, y]);
    const object = new Group();
    const pick = symbol.body === 0 ? this.ground() : this.paints.flat((colors) => colorOf(colors, this.scene.bodies[symbol.body]!.color));
    if (symbol.closed) {
      const light = this.paints.flat((colors) => between(colorOf(colors, this.scene.bodies[symbol.body]!.color), colors.background, 0.75));
      object.add(mesh(filled(polygon(corners)), light, ORDER.outline, belongs), mesh(closedStrip(corners, 1.3 * this.line), pick, ORDER.outline + 0.1, belongs));
    } else object.add(mesh(new Strip(corners.length, 1.3 * this.line).through(corners), pick, ORDER.outline, belongs));
    return { object, update: (poses) => place(object, poses, symbol.body) };
  }

  private readonly ink = () => this.paints.flat((colors) => colors.ink);
  private readonly paper = () => this.paints.flat((colors) => colors.paper);
  private readonly soft = () => this.paints.flat((colors) => colors.soft);
  private readonly ground = () => this.paints.flat((colors) => colors.ground);
}

function flatCorners(body: scenes.Body): Vec2[] {
  const corners = body.corners.map(([x, y]): Vec2 => [x, y]);
  if (corners.length === 0 && body.center !== null) corners.push([body.center[0], body.center[1]]);
  return corners;
}

function flat(place: Vector3): Vec2 {
  return [place.x, place.y];
}

function circle(radius: number): Vec2[] {
  return Array.from({ length: 72 }, (_, k): Vec2 => [radius * Math.cos((k * Math.PI) / 36), radius * Math.sin((k * Math.PI) / 36)]);
}

function closedStrip(points: readonly Vec2[], width: number): Strip {
  return new Strip(points.length + 2, width).through([...points, points[0]!, points[1]!]);
}

/** Puts an object where a place of a body is, turned as the body is. */
export function place(object: Object3D, poses: Poses, body: number, at: Vec3 = [0, 0, 0]): void {
  world(poses, { body, at }, object.position);
  const direction = turned(poses, body, [1, 0, 0], b);
  object.rotation.z = Math.atan2(direction.y, direction.x);
}
