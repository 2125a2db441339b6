/** Plots of the quantities of a recorded motion, linked to its time. */
import { h } from "../dom";
import type { Recorded } from "../motion";
import type { Quantity } from "../quantities";
import type { Store } from "../store";
import { type Curve, Plot } from "./plots";

/** How angles are plotted. */
const ANGLES = { rad: "Angles in radians", degrees: "Angles in degrees", wrapped: "Angles in degrees, −180° to 180°" } as const;

/** A curve in the units that are wanted for angles. */
function measured(curve: Curve, angles: keyof typeof ANGLES): Curve {
  if (curve.unit !== "rad" || angles === "rad") return curve;
  const degrees = Float64Array.from(curve.values, (x) => (x * 180) / Math.PI);
  if (angles === "degrees") return { ...curve, unit: "°", values: degrees };
  return { ...curve, unit: "°", values: degrees.map((x) => x - 360 * Math.round(x / 360)), period: 360 };
}

/** All plots, and a menu that adds another. */
export function curves(quantities: ReadonlyMap<string, Quantity>, motion: Recorded, store: Store, seek: (time: number) => void): HTMLElement {
  const list = h("div", { class: "plots" });
  let plots: Plot[] = [];
  const menu = h(
    "select",
    { "aria-label": "Plot a quantity", change: () => add() },
    h("option", { value: "" }, "Plot a quantity …"),
    ...[...quantities.values()].map((x) => h("option", { value: x.name }, `${x.name} [${x.unit}]`)),
  );
  const add = () => {
    const wanted = quantities.get(menu.value);
    menu.value = "";
    if (!wanted) return;
    const { plotted } = store.state;
    // beside others of the same unit, unless there are many
    const at = plotted.findIndex((names) => names.length < 8 && quantities.get(names[0]!)?.unit === wanted.unit && !names.includes(wanted.name));
    store.set({ plotted: at < 0 ? [...plotted, [wanted.name]] : plotted.map((names, k) => (k === at ? [...names, wanted.name] : names)) });
  };
  const angular = [...quantities.values()].some((x) => x.unit === "rad");
  const angles = h("select", { "aria-label": "Angles", hidden: !angular, change: () => build() }, ...Object.entries(ANGLES).map(([name, words]) => h("option", { value: name }, words)));
  const against = h("select", { "aria-label": "Plot against", change: () => build() }, h("option", { value: "" }, "Against time"), ...[...quantities.values()].map((x) => h("option", { value: x.name }, `Against ${x.name} [${x.unit}]`)));
  const curve = (name: string): Curve | null => {
    const found = quantities.get(name);
    return found ? measured({ name, unit: found.unit, times: motion.times, values: found.values() }, angles.value as keyof typeof ANGLES) : null;
  };
  const build = () => {
    const { plotted } = store.state;
    plots = plotted.map((names) => new Plot(names.join(", "), seek));
    list.replaceChildren(
      ...plots.map((plot, k) => {
        const names = plotted[k]!;
        const shown = names.flatMap((name) => {
          const found = curve(name);
          return found ? [found] : [];
        });
        plot.show(shown, motion.begin, motion.end, { against: curve(against.value) });
        plot.at(store.state.time);
        const remove = h("button", { type: "button", class: "close", "aria-label": `Remove the plot of ${names.join(", ")}`, click: () => store.set({ plotted: store.state.plotted.filter((other) => other !== names) }) }, "×");
        return h("div", { class: "plot-frame" }, plot.element, remove);
      }),
    );
  };
  const element = h("section", { class: "curves", "aria-label": "Plots" }, list, menu, h("div", { class: "row" }, angles, against));
  store.listen((state, before) => {
    if (state.plotted !== before.plotted) build();
    if (state.time !== before.time) for (const plot of plots) plot.at(state.time);
    element.hidden = !state.overlays.has("plots");
  });
  build();
  return element;
}
