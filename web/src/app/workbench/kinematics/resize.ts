/** A link of another length, with all other lengths as they are. */
import { type Sketch, rounded } from "../sketch";
import { Linkage } from "./linkage";
import { Walk } from "./walk";

/** Steps in which the length changes, so that the loops stay on their branch. */
const STEPS = 20;

/** The sketch with a bar of another length; null if the loops cannot be closed with it. */
export function resized(sketch: Sketch, link: string, length: number): Sketch | null {
  const bar = sketch.links.find((found) => found.name === link)!;
  const [a, b] = bar.points.map((name) => sketch.points.find((point) => point.name === name)!) as [Sketch["points"][number], Sketch["points"][number]];
  const now = Math.hypot(b.x - a.x, b.y - a.y);
  if (a.ground && b.ground) return null;
  let pose: Sketch | null = null;
  for (let k = 1; k <= STEPS; k++) {
    const linkage = new Linkage(sketch, pose, new Map([[link, now + ((length - now) * k) / STEPS]]));
    const standing = new Walk(linkage).begin();
    if (standing === null) return null;
    pose = linkage.posed(standing.q);
  }
  const places = new Map(pose!.points.map((point) => [point.name, point]));
  // points that did not have to move stay exactly where they are
  const points = sketch.points.map((point) => {
    const { x, y } = places.get(point.name)!;
    return rounded(x) === rounded(point.x) && rounded(y) === rounded(point.y) ? point : { ...point, x, y };
  });
  return { ...sketch, points };
}
