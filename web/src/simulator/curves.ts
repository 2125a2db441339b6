/** Plots of what a live mechanism did lately. */
import { h } from "../dom";
import type { Store } from "../store";
import { Plot } from "../ui/plots";
import type { Simulator } from "./simulator";

/** ms between two drawings of a plot while time runs. */
const EVERY = 80;

export function liveCurves(simulator: Simulator, store: Store): HTMLElement {
  const { observed } = simulator.engine;
  const units = [...new Set(observed.map((x) => x.unit))];
  const plots = units.map((unit) => {
    const shown = observed.flatMap((x, k) => (x.unit === unit ? [{ ...x, k }] : [])).slice(0, 6);
    const plot = new Plot(shown.map((x) => x.name).join(", "), (time) => {
      store.set({ playing: false, time });
    });
    return { plot, shown };
  });
  let last = -Infinity;
  const draw = () => {
    const { history } = simulator;
    for (const { plot, shown } of plots) {
      plot.show(shown.map((x) => ({ ...x, ...history.curve(x.k) })), history.begin, history.end);
      plot.at(store.state.time);
    }
  };
  simulator.listen(() => {
    const now = performance.now();
    if (store.state.playing && now - last < EVERY) return;
    last = now;
    draw();
  }, draw);
  const element = h("section", { class: "curves", "aria-label": "Plots" }, h("div", { class: "plots" }, ...plots.map(({ plot }) => h("div", { class: "plot-frame" }, plot.element))));
  store.listen((state, before) => {
    if (before.playing && !state.playing) draw(); // drawings were skipped while time ran, the last ones too
    else if (state.time !== before.time && !state.playing) for (const { plot } of plots) plot.at(state.time);
    element.hidden = !state.overlays.has("plots");
  });
  draw();
  return element;
}
