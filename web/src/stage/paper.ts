/** Lines and areas on paper: mechanisms in the plane. */
import { Shape as Outline, ShapeGeometry, Vector3 } from "three";
import type { Poses } from "../motion";
import { unpacked } from "../numbers";
import { hang, world } from "../places";
import type * as scenes from "../scene";
import type { Selection } from "../store";
import { type Artist, type Drawn, type Paints, type Shape, axesOf, follow, framed, mesh } from "./drawn";
import { Strip, type Vec2, closed, polygon, rounded, tightened } from "./shapes";

/** The width of the thinnest lines, in sizes of the small symbols. */
const LINE = 0.16;

const a = new Vector3();

export class PaperArtist implements Artist {
  private readonly width: number;
  private count = 0;

  constructor(
    private readonly scene: scenes.Scene,
    private readonly paints: Paints,
  ) {
    this.width = LINE * scene.detail;
  }

  draw(shape: Shape, belongs: Selection | null): Drawn | null {
    if (shape.kind === "solid" || shape.thick > 0) return null;
    const order = shape.layer + 1e-5 * this.count++; // of one layer, later shapes cover earlier ones
    return shape.kind === "line" ? this.line(shape, order, belongs) : this.area(shape, order, belongs);
  }

  private line(line: scenes.Stroke, order: number, belongs: Selection | null): Drawn {
    const { frame } = line;
    const paint = this.paints.of(line.color, true);
    const width = line.width * this.width;
    const corners = flat(line.corners);
    const path = (places: readonly Vec2[]) => (line.closed ? closed(places) : places);
    if (frame === null) {
      const radii = line.radii.length > 0 ? line.radii : line.through.map(() => 0);
      const object = mesh(new Strip(width), paint, order, belongs);
      const strip = object.geometry as Strip;
      const places = (poses: Poses) => line.through.map((spot): Vec2 => [world(poses, spot, a).x, a.y]);
      const slack = (poses: Poses) => hang(world(poses, line.through[0]!), world(poses, line.through[1]!), line.slack, this.scene.view).map(({ x, y }): Vec2 => [x, y]);
      const along = (poses: Poses) => (line.slack > 0 ? slack(poses) : tightened(places(poses), radii, line.closed));
      return { object, update: (poses) => void strip.through(path(along(poses))) };
    }
    const strip = new Strip(width).through(path(corners));
    const object = mesh(strip, paint, order, belongs);
    if (frame.span === 0) return framed(frame, object);
    return {
      object,
      update: (poses) => {
        follow(object, frame, poses);
        strip.through(path(corners.map(([x, y]): Vec2 => [x * object.scale.x, y])));
        object.scale.x = 1; // lines do not get thicker where they are stretched
      },
    };
  }

  private area(area: scenes.Area, order: number, belongs: Selection | null): Drawn {
    const { frame, through } = area;
    const corners = frame === null ? through.map(({ at }): Vec2 => [at[0], at[1]]) : flat(area.corners);
    const outline = area.radius > 0 ? rounded(corners, area.radius) : corners;
    const hole = flat(area.hole);
    const shape: Outline = polygon(outline);
    if (hole.length > 0) shape.holes.push(polygon(hole));
    const parts = [mesh(new ShapeGeometry(shape), this.paints.of(area.color, true, area.tint, area.opacity), order, belongs)];
    const { edge } = area;
    if (edge !== null)
      for (const line of hole.length > 0 ? [outline, hole] : [outline])
        parts.push(mesh(new Strip(area.width * this.width).through(closed(line)), this.paints.of(edge, true), order + 5e-6, belongs));
    return framed(frame ?? axesOf(through[0]!.body), ...parts);
  }
}

function flat(corners: scenes.Numbers): Vec2[] {
  const numbers = unpacked(corners);
  return Array.from({ length: corners.shape[0] ?? 0 }, (_, k): Vec2 => [numbers[3 * k]!, numbers[3 * k + 1]!]);
}
