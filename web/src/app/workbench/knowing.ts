/** Follows the linkage around its whole way after every change, in the page: what it tells while it is drawn. */
import type { Bench } from "./bench";
import { courseOf } from "./kinematics/course";

const PAUSE = 40;

export function knowing(bench: Bench): void {
  let timer = 0;
  bench.listen((state, before) => {
    if (state.history.now.sketch === before.history.now.sketch && state.draft === before.draft) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => bench.set({ course: courseOf(bench.sketch) }), PAUSE);
  });
}
