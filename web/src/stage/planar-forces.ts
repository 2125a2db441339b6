/** Springs, dampers, motors and loads in the plane. */
import { Group, Vector3 } from "three";
import type * as scenes from "../scene";
import { turned, world } from "../places";
import type { Selection } from "../store";
import { type Drawn, mesh } from "./drawn";
import { ORDER, Pen, place } from "./pen";
import { Strip, type Vec2, coil, disc, filled, polygon } from "./shapes";

const a = new Vector3();
const b = new Vector3();

export class PlanarForces extends Pen {
  spring(symbol: scenes.Spring, belongs: Selection): Drawn {
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

  bushing(symbol: scenes.Bushing, belongs: Selection): Drawn {
    const object = mesh(disc(1.1 * this.size, 0.6 * this.size), this.ground(), ORDER.spring, belongs);
    return { object, update: (poses) => void object.position.copy(world(poses, symbol.a, a)) };
  }

  torsion(symbol: scenes.Coil, belongs: Selection): Drawn {
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
  turning(symbol: scenes.Drive, belongs: Selection): Drawn {
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
  pushing(symbol: scenes.Drive, belongs: Selection): Drawn {
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

  load(symbol: scenes.Load, belongs: Selection): Drawn | null {
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
}
