/** Buttons above the drawing. */
import { h, s } from "../../dom";
import type { Bench, Tool } from "./bench";
import { type DeviceType, KINDS, isType } from "./devices/kinds";
import { examples } from "./examples";
import { copied, deleted, flipped } from "./gestures";
import { EMPTY } from "./sketch";
import { TOOLS } from "./tools";

/** Small pictures on the tools, in a square of 20. */
const ICONS: Record<Exclude<Tool, DeviceType>, string> = {
  move: "M7 10V4.5a1.2 1.2 0 0 1 2.4 0V9M9.4 9V3.2a1.2 1.2 0 0 1 2.4 0V9M11.8 9V4.2a1.2 1.2 0 0 1 2.4 0v7.3c0 3.5-1.8 5.5-4.6 5.5-2.6 0-3.6-1.3-4.7-3.4L3.3 10.4a1.2 1.2 0 0 1 2-1.2L7 11.2",
  select: "M5 3v13l3.6-3.2 2.2 4.6 2-1-2.2-4.5 4.6-.4z",
  bar: "M4.5 15.5l11-11M3 15.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M14 4.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0",
  plate: "M3 16L9 3l8 9z",
  pin: "M2 13h16M7 13a3 3 0 1 1 6 0a3 3 0 1 1-6 0",
  ground: "M10 3l-5 9h10zM3 12h14M5 12l-2 4M10 12l-2 4M15 12l-2 4",
  slider: "M2 14h16M6 6h8v8H6z",
  spring: "M2 10h3l1.5-4 3 8 3-8 2 8 1.5-4h2",
  damper: "M2 10h6M13 5H8v10h5M10.5 6.5v7M10.5 10H18",
  slot: "M3 13.5L13.5 3a2.5 2.5 0 0 1 3.6 3.6L6.5 17a2.5 2.5 0 0 1-3.5-3.5zM8.5 10a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0",
  force: "M3 17L15 5M15 5h-5.5M15 5v5.5",
  torque: "M4 15a7.5 7.5 0 1 1 12 0M16 15h-4.5M16 15v-4.5",
  motor: "M15.6 6.5A6.5 6.5 0 1 0 16.4 11.5M16.5 2.5v4.5h-4.5",
  path: "M3 14C3 5 9 3 12 6s-3 8 2 9 4-5 3-8M14.6 9L17 6.6 19 9.2",
  trace: "M2 15C4 3 9 3 11 9s5 4 7-3M9.5 8a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0",
};

export function toolbar(bench: Bench, fit: () => void, run: HTMLElement): HTMLElement {
  const tools = TOOLS.map(({ tool, name, key, help }) => {
    const icon = s("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true", class: "icon" }, s("path", { d: isType(tool) ? KINDS[tool].icon : ICONS[tool] }));
    return h("button", { type: "button", class: "tool", title: `${help} Key: ${key}`, "data-tool": tool, click: () => bench.set({ tool, pending: [], remark: "" }) }, icon, name);
  });
  const undo = h("button", { type: "button", click: () => bench.undo() }, "Undo");
  const redo = h("button", { type: "button", click: () => bench.redo() }, "Redo");
  const remove = h("button", { type: "button", click: () => deleted(bench) }, "Delete");
  const copy = h("button", { type: "button", title: "Puts a copy of what is selected beside it. Key: Ctrl+D", click: () => copied(bench) }, "Copy");
  const mirror = h("button", { type: "button", title: "Mirrors what is selected at a vertical line through its middle.", click: () => flipped(bench) }, "Mirror");
  const clear = h("button", { type: "button", title: "Starts with an empty sheet; undo brings everything back.", click: () => bench.open(EMPTY, null) }, "New");

  const lengths = h("button", { type: "button", title: "Writes the lengths of all bars on the drawing.", click: () => bench.set({ dimensioned: !bench.state.dimensioned }) }, "Lengths");

  const draw = () => {
    const { tool, history, selected, many, dimensioned } = bench.state;
    lengths.setAttribute("aria-pressed", String(dimensioned));
    for (const button of tools) {
      button.setAttribute("aria-pressed", String(button.dataset["tool"] === tool));
      button.disabled = !bench.page.current;
    }
    undo.disabled = history.past.length === 0;
    redo.disabled = history.future.length === 0;
    remove.disabled = (selected === null && many.length === 0) || !bench.page.current;
    copy.disabled = mirror.disabled = bench.grasped.length === 0 || !bench.page.current;
  };
  bench.listen(draw);
  draw();
  const group = (name: string, ...buttons: HTMLElement[]) => h("div", { class: "group", role: "group", "aria-label": name }, ...buttons);
  return h("div", { class: "toolbar" }, h("div", { class: "row" }, group("Tools", ...tools), h("div", { class: "more" }, run, group("Changes", undo, redo, copy, mirror, remove), group("Sheet", h("button", { type: "button", click: fit }, "Fit"), lengths, clear, examples(bench, fit)))));
}
