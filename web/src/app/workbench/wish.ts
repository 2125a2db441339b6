/** A path that a point is to follow: drawn by hand, and the four-bar that the server finds for it. */
import { SERVER, asked } from "./asking";
import type { Bench } from "./bench";
import { type Size, fitted } from "./camera";
import { type Sketch, withLink, withMotor, withPoint } from "./sketch";
import { inUnits } from "./units";

export type Place = readonly [number, number];

/** The four-bar A B C D with the point P of its coupler, where the path begins, m. */
interface FourBar {
  readonly pivots: readonly [Place, Place];
  readonly start: { readonly B: Place; readonly C: Place; readonly P: Place };
  readonly error: number;
  readonly turns_fully: boolean;
}

/** Places from which a path can be read. */
const FEWEST = 5;

/** Adds the four-bar whose point follows the path, and shows all of it; what is drawn meanwhile ends the question. */
export async function followed(bench: Bench, size: Size): Promise<void> {
  const { wish } = bench.state;
  if (wish.length < FEWEST) return bench.set({ wish: [], remark: "Hold the button down and draw the path that a point is to follow." });
  if (!SERVER) return bench.set({ remark: "This page cannot look for a four-bar by itself; the workbench of grashof serve can." });
  const { page } = bench;
  bench.set({ good: true, remark: "Looking for a four-bar whose point follows this path …" });
  const still = () => bench.page === page && bench.state.wish === wish;
  try {
    const found = await asked<FourBar>("/api/follow", { method: "POST", body: JSON.stringify({ points: wish }) });
    if (!still()) return;
    const [sketch, point] = withFourBar(page.sketch, found);
    const crank = found.turns_fully ? "the crank turns fully" : "the crank swings";
    bench.commit(sketch, { wish, tool: "move", good: true, camera: fitted({ ...sketch, points: [...sketch.points, ...wish.map(([x, y]) => ({ ...sketch.points[0]!, x, y }))] }, size), remark: `${point} follows the path within ${inUnits("length", Number(found.error.toPrecision(2)))}; ${crank}. Draw the path again, a little differently, for another four-bar.` });
  } catch (problem) {
    if (still()) bench.set({ remark: (problem as Error).message });
  }
}

/** The sketch with a four-bar, and the name of the point whose path is shown. */
function withFourBar(sketch: Sketch, { pivots, start, turns_fully }: FourBar): [Sketch, string] {
  let found = sketch;
  const [a, b, c, d, p] = ([[pivots[0], { ground: true }], [start.B, {}], [start.C, {}], [pivots[1], { ground: true }], [start.P, { traced: true }]] as const).map(([[x, y], more]) => {
    const [next, name] = withPoint(found, x, y, more);
    found = next;
    return name;
  }) as [string, string, string, string, string];
  found = withLink(found, [a, b]);
  const crank = found.links[found.links.length - 1]!.name;
  found = withLink(withLink(found, [b, c, p]), [d, c]);
  return [turns_fully ? withMotor(found, crank) : found, p];
}
