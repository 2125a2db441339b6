/** Plots of columns, from the JSON that a page holds. */
import { h } from "../dom";
import { type Curve, Plot } from "../ui/plots";

interface Plotted {
  readonly title: string;
  readonly logarithmic?: boolean;
  readonly bound?: { readonly at: number; readonly name: string };
  readonly curves: readonly { readonly name: string; readonly unit: string; readonly times: readonly number[]; readonly values: readonly (number | null)[] }[];
}

/** Draws them, with one cursor for all. */
export function plots(): void {
  const place = document.querySelector<HTMLElement>("[data-plots]");
  const data = document.getElementById("plots");
  if (!place || !data) return;
  const content = JSON.parse(data.textContent ?? "[]") as Plotted[];
  const found: Plot[] = [];
  const seek = (time: number) => found.forEach((plot) => plot.at(time));
  const departed = place.dataset["departed"];
  const mark = departed === undefined ? null : { time: Number(departed), name: "departs" };
  for (const { title, curves, logarithmic = false, bound = null } of content) {
    const plot = new Plot(title, seek);
    const shown: Curve[] = curves.map((curve) => ({ ...curve, values: curve.values.map((x) => x ?? NaN) }));
    const times = shown.flatMap((curve) => Array.from(curve.times));
    const [begin, end] = times.reduce(([low, high], t) => [Math.min(low, t), Math.max(high, t)], [Infinity, -Infinity]);
    if (begin > end) continue;
    plot.show(shown, begin, end, { logarithmic, bound, mark });
    plot.at(mark?.time ?? end);
    found.push(plot);
    place.append(h("div", { class: "plot-frame" }, h("h3", {}, title), plot.element));
  }
  place.classList.add("grashof");
  place.dataset["theme"] = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
