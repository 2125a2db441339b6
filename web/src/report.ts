/** A report: a table of all runs, then each with its verdict, the moving mechanism, mobility, work and precision. */
import { h, worded } from "./dom";
import type { Chapter, Fact, Report } from "./scene";
import type { Theme } from "./store";
import { Places } from "./ui/places";
import { precision } from "./ui/precision";
import { type Viewer, preferredTheme } from "./viewer";

export function reportOf(report: Report, viewers: Viewer[]): HTMLElement {
  let theme: Theme = preferredTheme();
  const places = new Places(viewers, theme);
  const chapters = report.chapters.map((chapter, k) => section(chapter, k, places.of(chapter.scene)));
  const dark = h("button", { type: "button", click: () => apply(theme === "light" ? "dark" : "light") });
  const element = h("div", { class: "grashof report" }, heading(report, dark), summary(report), ...chapters);
  const apply = (wanted: Theme) => {
    theme = wanted;
    element.dataset["theme"] = theme;
    dark.textContent = theme === "light" ? "Dark" : "Light";
    places.recolor(theme);
  };
  apply(theme);
  return element;
}

function heading(report: Report, theme: HTMLElement): HTMLElement {
  return h(
    "header",
    { class: "top" },
    h("div", { class: "title" }, h("h1", {}, report.title), theme),
    h("p", {}, `Made by Grashof on ${report.made}:`),
    h("pre", { class: "command" }, h("code", {}, report.command)),
    h("details", {}, h("summary", {}, "The machine"), facts(report.machine)),
  );
}

/** One row a run, whose name leads there; columns that say nothing are left out. */
function summary(report: Report): HTMLElement | null {
  const { chapters } = report;
  if (chapters.length < 2) return null;
  const columns = chapters[0]!.summary.map((fact, k) => ({ name: fact.name, cells: chapters.map((chapter) => chapter.summary[k]?.value ?? "–") })).slice(1);
  const told = columns.filter((column) => column.cells.some((cell) => cell !== "–"));
  const head = h("tr", {}, h("th", { scope: "col" }, "Run"), h("th", { scope: "col" }, "Verdict"), ...told.map((column) => h("th", { scope: "col", class: "number" }, column.name)));
  const rows = chapters.map((chapter, k) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("a", { href: `#run-${k + 1}` }, chapter.summary[0]!.value)),
      h("td", {}, verdict(chapter) ?? "no rule"),
      ...told.map((column) => h("td", { class: "number" }, column.cells[k]!)),
    ),
  );
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "All runs" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
}

/** By the problem's rule; without one, only what is not well is said. */
function verdict(chapter: Chapter): HTMLElement | null {
  if (chapter.verdict) return h("span", { class: chapter.verdict.passed ? "verdict passed" : "verdict failed" }, chapter.verdict.passed ? "✓ " : "✗ ", chapter.verdict.word);
  return chapter.scene.outcome?.ok === false ? h("span", { class: "verdict failed" }, "✗ not whole") : null;
}

function section(chapter: Chapter, k: number, place: HTMLElement): HTMLElement {
  const id = `run-${k + 1}`;
  const rest = chapter.verdict?.text ? h("span", {}, chapter.verdict.text.replace(/^[: ]+/, "")) : null;
  return h(
    "section",
    { class: "chapter", id, "aria-labelledby": `${id}-title` },
    h("div", { class: "title" }, h("h2", { id: `${id}-title` }, chapter.title), verdict(chapter), rest),
    h("pre", { class: "command" }, h("code", {}, chapter.command)),
    place,
    h("div", { class: "columns" }, h("section", {}, h("h3", {}, "Errors"), facts(chapter.errors), h("h3", {}, "Mobility"), mobility(chapter.mobility)), h("section", {}, h("h3", {}, "Method and work"), facts(chapter.making), ...notes(chapter.notes))),
    chapter.work_precision ? h("section", {}, h("h3", {}, "Work and precision"), precision(chapter.work_precision)) : null,
  );
}

function facts(list: readonly Fact[]): HTMLElement {
  return h("dl", { class: "facts" }, ...list.flatMap((fact) => [h("dt", {}, fact.name), h("dd", {}, fact.value, fact.meaning ? h("small", {}, ...worded(fact.meaning)) : null)]));
}

function mobility(lines: readonly string[]): HTMLElement {
  return h("div", { class: "mobility" }, ...lines.map((line) => h("p", line.startsWith(" ") ? { class: "under" } : {}, line.trim())));
}

function notes(lines: readonly string[]): HTMLElement[] {
  return lines.length > 0 ? [h("h3", {}, "Notes"), ...lines.map((line) => h("p", {}, line))] : [];
}
