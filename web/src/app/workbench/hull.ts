/** The shape of plates. */
import { hullOf } from "../../hull";

/** Centre and inertia about it, per mass, of a uniform plate over these corners: their convex hull, or a slender bar if it has no area. */
export function spread(corners: readonly { readonly x: number; readonly y: number }[]): { x: number; y: number; inertia: number } {
  const hull = hullOf(corners);
  let [area, x, y, second] = [0, 0, 0, 0];
  const { x: x0, y: y0 } = hull[0]!;
  hull.forEach((one, k) => {
    const other = hull[(k + 1) % hull.length]!;
    const [ax, ay, bx, by] = [one.x - x0, one.y - y0, other.x - x0, other.y - y0];
    const cross = ax * by - bx * ay;
    area += cross / 2;
    x += ((ax + bx) * cross) / 6;
    y += ((ay + by) * cross) / 6;
    second += ((ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) * cross) / 12;
  });
  const [one, other] = farthest(corners);
  const length = Math.hypot(other.x - one.x, other.y - one.y);
  if (area <= 1e-9 * length * length) return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, inertia: (length * length) / 12 };
  [x, y] = [x / area, y / area];
  return { x: x0 + x, y: y0 + y, inertia: second / area - x * x - y * y };
}

/** The two corners that are farthest apart. */
export function farthest<P extends { readonly x: number; readonly y: number }>(corners: readonly P[]): readonly [P, P] {
  const pairs = corners.flatMap((one, k) => corners.slice(k + 1).map((other) => [one, other] as const));
  return pairs.reduce((best, found) => (Math.hypot(found[1].x - found[0].x, found[1].y - found[0].y) > Math.hypot(best[1].x - best[0].x, best[1].y - best[0].y) ? found : best));
}
