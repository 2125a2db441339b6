/** Work against precision: a diagram for each way to measure errors, and the numbers as a table. */
import { h, worded } from "../dom";
import { told } from "../numbers";
import type { Attempt, Goal, WorkPrecision } from "../scene";
import { loglog, sign } from "./loglog";

const WORK: Readonly<Record<string, { readonly label: string; readonly of: (attempt: Attempt) => number }>> = {
  cpu: { label: "CPU time [s]", of: (attempt) => attempt.cpu_s },
  evaluations: { label: "Evaluations", of: (attempt) => attempt.evaluations },
  tolerance: { label: "Tolerance", of: (attempt) => attempt.tol },
};

export function precision(found: WorkPrecision): HTMLElement {
  const diagrams = h("div", { class: "columns" });
  const menu = h("select", { change: () => draw() }, ...Object.entries(WORK).map(([key, work]) => h("option", { value: key }, work.label)));
  const draw = () => diagrams.replaceChildren(...found.goals.map((goal, k) => diagram(found, goal, k, menu.value)));
  draw();
  const legend = h("ul", { class: "legend methods" }, ...found.curves.map((curve, k) => h("li", {}, sign(k), ` ${curve.method}`, h("small", {}, ` ${curve.title}`))));
  return h("div", { class: "precision" }, h("div", { class: "row" }, h("label", {}, "Over ", menu), legend), diagrams, ...found.notes.map((note) => h("p", { class: "note" }, ...worded(note))), table(found));
}

function diagram(found: WorkPrecision, goal: Goal, k: number, key: string): HTMLElement {
  const work = WORK[key]!;
  const curves = found.curves.map((curve) => ({
    name: curve.method,
    marks: curve.attempts.map((attempt) => ({ x: work.of(attempt), y: attempt.errors[k] ?? 0, text: `tolerance ${told(attempt.tol)}, ${told(1e3 * attempt.cpu_s)} ms, ${attempt.evaluations} evaluations, ${named(goal)} ${told(attempt.errors[k] ?? NaN)}` })),
  }));
  const bound = goal.bound === null ? null : { at: goal.bound, name: `${goal.bound_name}: ${told(goal.bound)} ${goal.unit}`.trim() };
  const y = goal.unit ? `${goal.name} [${goal.unit}]` : goal.name;
  const empty = curves.every((curve) => curve.marks.every((mark) => !(mark.y > 0)));
  if (empty) return h("div", { class: "plot-frame" }, h("p", { class: "note" }, `${y}: no run has an error.`), h("p", { class: "note" }, goal.meaning));
  const plot = loglog({ title: `${goal.name} over ${work.label}, for each integration method; the table below has the numbers.`, x: work.label, y, curves, bound });
  return h("div", { class: "plot-frame" }, plot, h("p", { class: "note" }, goal.meaning));
}

function named(goal: Goal): string {
  return goal.name.charAt(0).toLowerCase() + goal.name.slice(1);
}

/** The numbers; made when they are asked for, since there are many. */
function table(found: WorkPrecision): HTMLElement {
  const details = h("details", {}, h("summary", {}, "All numbers"));
  details.addEventListener("toggle", () => details.append(numbers(found)), { once: true });
  return details;
}

function numbers(found: WorkPrecision): HTMLElement {
  const names = ["Method", "Tolerance", "CPU time [ms]", "Evaluations", ...found.goals.map((goal) => (goal.unit ? `${goal.name} [${goal.unit}]` : goal.name))];
  const rows = found.curves.flatMap((curve) =>
    curve.attempts.map((attempt) => [curve.method, told(attempt.tol), told(1e3 * attempt.cpu_s), String(attempt.evaluations), ...attempt.errors.map((error) => (error === null ? "–" : told(error)))]),
  );
  const head = h("tr", {}, ...names.map((name, k) => h("th", { scope: "col", class: k === 0 ? "" : "number" }, name)));
  const body = rows.map((row) => h("tr", {}, ...row.map((cell, k) => h("td", { class: k === 0 ? "" : "number" }, cell))));
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Work and precision, all numbers" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)));
}
