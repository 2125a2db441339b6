/** Work-precision diagrams of a leaderboard: what a precision costs, for the rows that are shown. The table is their text. */
import { h } from "../dom";
import { told } from "../numbers";
import { type LogCurve, loglog, sign } from "../ui/loglog";

/** Diagrams of more problems and machines than this are left out until filters choose fewer. */
const MOST = 4;

const AGREES = 1e-3;

/** A row of the table as numbers; `group` names a problem on one machine, within which times can be compared. */
export interface Measured {
  readonly group: string;
  readonly problem: string;
  readonly machine: string;
  readonly curve: string;
  readonly setting: string;
  readonly place: number;
  readonly cpu: number;
  readonly error: number;
  readonly deviation: number;
  readonly bound: number;
}

/** Draws the diagrams of some rows, by problem and machine. */
export function precision(place: HTMLElement, rows: readonly Measured[]): void {
  const known = rows.filter((row) => row.cpu > 0 && (row.error > 0 || row.deviation > 0));
  const groups = [...new Set(known.map((row) => row.group))].map((group) => known.filter((row) => row.group === group));
  place.hidden = groups.length === 0;
  const open = place.querySelector("details")?.open ?? matchMedia("(min-width: 700px)").matches;
  const left = groups.length - MOST;
  const note = left > 0 ? h("p", { class: "note" }, `Diagrams of ${left} more ${left === 1 ? "combination" : "combinations"} of problem and machine are left out: choose a problem or a machine above.`) : null;
  place.replaceChildren(h("details", { open }, h("summary", {}, "Work-precision diagrams"), ...groups.slice(0, MOST).map(diagrams), note));
  place.classList.add("grashof");
  place.dataset["theme"] = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Both errors of one problem on one machine, with what they say in words. */
function diagrams(rows: readonly Measured[]): HTMLElement {
  const { problem, machine, bound } = rows[0]!;
  const names = [...new Set(rows.map((row) => row.curve))];
  const curves = names.map((name) => rows.filter((row) => row.curve === name).sort((one, other) => one.place - other.place));
  const legend = h("ul", { class: "legend methods" }, ...names.map((name, k) => h("li", {}, sign(k), ` ${name}`)));
  const plots = (["error", "deviation"] as const).map((key) => {
    const marks = (list: readonly Measured[]): LogCurve["marks"] => list.map((row) => ({ x: row.cpu, y: row[key], text: `${row.setting}, ${told(row.cpu)} s, error ${told(row.error)} J, deviation ${told(row.deviation)}` }));
    const drawn = curves.map((list, k) => ({ name: names[k]!, marks: marks(list) }));
    const y = key === "error" ? "Error by the rule [J]" : "Deviation from the reference";
    if (drawn.every((curve) => curve.marks.every((mark) => !(mark.y > 0)))) return null;
    const limit = key === "deviation" ? { at: AGREES, name: `agreement: ${told(AGREES)}` } : bound > 0 ? { at: bound, name: `rule: ${told(bound)} J` } : null;
    return h("div", { class: "plot-frame" }, loglog({ title: `${y} over CPU time, ${problem}, ${machine}. ${words(rows, names)}`, x: "CPU time [s]", y, curves: drawn, bound: limit }));
  });
  return h("figure", { class: "group" }, h("figcaption", {}, h("strong", {}, problem), `, ${machine}`), legend, h("div", { class: "columns" }, ...plots), h("p", { class: "note" }, words(rows, names)));
}

/** What the diagrams say, in a sentence for each tool. */
function words(rows: readonly Measured[], names: readonly string[]): string {
  return names
    .map((name) => {
      const own = rows.filter((row) => row.curve === name);
      const passed = least(own.filter((row) => row.error <= row.bound));
      const agreed = least(own.filter((row) => row.deviation <= AGREES));
      return `${name}: ${passed ? `meets the rule in ${told(passed)} s` : "does not meet the rule"}, ${agreed ? `agrees with the reference in ${told(agreed)} s` : "does not agree with the reference"}.`;
    })
    .join(" ");
}

function least(rows: readonly Measured[]): number | null {
  return rows.length > 0 ? Math.min(...rows.map((row) => row.cpu)) : null;
}
