/** The shape of plates. */

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

/** Counter-clockwise, by Andrew's monotone chain (1979). */
export function hullOf<P extends { readonly x: number; readonly y: number }>(corners: readonly P[]): readonly P[] {
  const sorted = [...corners].sort((one, other) => one.x - other.x || one.y - other.y);
  const half = (order: readonly P[]) => {
    const chain: P[] = [];
    for (const c of order) {
      for (;;) {
        const [a, b] = [chain[chain.length - 2], chain[chain.length - 1]];
        if (!a || !b || (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(c);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half([...sorted].reverse())];
  return hull.length > 0 ? hull : sorted.slice(0, 1);
}

function farthest<P extends { readonly x: number; readonly y: number }>(corners: readonly P[]): readonly [P, P] {
  const pairs = corners.flatMap((one, k) => corners.slice(k + 1).map((other) => [one, other] as const));
  return pairs.reduce((best, found) => (Math.hypot(found[1].x - found[0].x, found[1].y - found[0].y) > Math.hypot(best[1].x - best[0].x, best[1].y - best[0].y) ? found : best));
}
