/** Sliders and fields for the numbers of a live mechanism, and why some of them cannot be changed. */
import { h } from "../dom";
import { told } from "../numbers";
import type { Simulator } from "./simulator";

export function knobs(simulator: Simulator): HTMLElement | null {
  const { numbers, notes } = simulator.engine;
  if (numbers.length === 0 && notes.length === 0) return null;
  const updates: (() => void)[] = [];
  const rows = numbers.map((number, k) => {
    const id = `number-${k}`;
    const slider = h("input", { type: "range", id, min: number.lower, max: number.upper, step: "any", input: () => simulator.change(k, Number(slider.value)) });
    const field = h("input", { type: "number", step: "any", "aria-label": `${number.name}${number.unit ? `, in ${number.unit}` : ""}`, change: () => simulator.change(k, field.valueAsNumber) });
    updates.push(() => {
      const value = simulator.wanted[k]!;
      if (document.activeElement !== field) field.value = Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "";
      if (document.activeElement !== slider) slider.value = String(value);
      slider.setAttribute("aria-valuetext", `${told(value)} ${number.unit}`);
      const bad = !(simulator.engine.values[k] === value);
      field.setAttribute("aria-invalid", String(bad));
    });
    return h("div", { class: "knob" }, h("label", { for: id, title: number.name }, number.kind === "start" ? `${number.name.replace(/^start\./, "")} at the start` : number.name), slider, field, h("span", { class: "unit" }, number.unit));
  });
  const nominal = () => {
    numbers.forEach((number, k) => (simulator.wanted[k] = number.value));
    simulator.restart();
  };
  const reset = numbers.length > 0 ? h("div", { class: "row" }, h("button", { type: "button", click: nominal }, "Nominal values")) : null;
  const update = () => updates.forEach((one) => one());
  simulator.listen(update, update);
  update();
  return h("section", { class: "knobs", "aria-label": "Numbers" }, h("h2", {}, "Numbers"), ...rows, reset, ...notes.map((note) => h("p", { class: "notes" }, note)));
}
