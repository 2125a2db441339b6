/** The convex hull of points, anticlockwise, by Andrew's monotone chain (1979). */
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
