/** Gears, belts, ropes and cams in the plane. */
import { Group, Vector3 } from "three";
import type * as scenes from "../scene";
import { world } from "../places";
import type { Selection } from "../store";
import { type Drawn, between, mesh } from "./drawn";
import { ORDER, Pen, circle, closedStrip, flat, place } from "./pen";
import { Strip, type Vec2, cornersOf, disc, filled, plate, polygon, tightened, toothed } from "./shapes";
import { colorOf } from "./theme";

const a = new Vector3();
const b = new Vector3();

export class PlanarCouplings extends Pen {
  gear(symbol: scenes.Gear, belongs: Selection): Drawn {
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

  belt(symbol: scenes.Belt, belongs: Selection): Drawn {
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

  rope(symbol: scenes.Rope, belongs: Selection): Drawn {
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

  outline(symbol: scenes.Outline, belongs: Selection): Drawn {
    const corners = symbol.corners.map(([x, y]): Vec2 => [x, y]);
    const object = new Group();
    const pick = symbol.body === 0 ? this.ground() : this.paints.flat((colors) => colorOf(colors, this.scene.bodies[symbol.body]!.color));
    if (symbol.closed) {
      const light = this.paints.flat((colors) => between(colorOf(colors, this.scene.bodies[symbol.body]!.color), colors.background, 0.75));
      object.add(mesh(filled(polygon(corners)), light, ORDER.outline, belongs), mesh(closedStrip(corners, 1.3 * this.line), pick, ORDER.outline + 0.1, belongs));
    } else object.add(mesh(new Strip(corners.length, 1.3 * this.line).through(corners), pick, ORDER.outline, belongs));
    return { object, update: (poses) => place(object, poses, symbol.body) };
  }
}
