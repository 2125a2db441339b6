/** Leaderboards: a click on a heading sorts, fields above filter. */
import { h } from "../dom";
import { type Measured, precision } from "./precision";

export function boards(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("[data-board]")) sortable(table);
}

function sortable(table: HTMLTableElement): void {
  const body = table.tBodies[0]!;
  const rows = [...body.rows].filter((row) => row.cells.length > 1);
  if (rows.length === 0) return;
  const headings = [...table.tHead!.rows[0]!.cells];
  const named = headings.map((heading) => heading.textContent ?? "");
  headings.forEach((heading, column) => {
    const button = h("button", { type: "button", click: () => sort(column) }, heading.textContent ?? "");
    heading.replaceChildren(button);
    for (const { cells } of rows) {
      cells[column]!.dataset["name"] = named[column];
      cells[column]!.classList.toggle("none", cells[column]!.textContent?.trim() === "–");
    }
  });

  function sort(column: number): void {
    const heading = headings[column]!;
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = heading.dataset["sort"] === "number";
    const key = (row: HTMLTableRowElement): string | number => {
      const cell = row.cells[column]!;
      if (!numeric) return (cell.textContent ?? "").trim().toLowerCase();
      return cell.dataset["value"] ? Number(cell.dataset["value"]) : Infinity;
    };
    const sign = down ? -1 : 1;
    const ordered = [...rows].sort((one, other) => {
      const [a, b] = [key(one), key(other)];
      if (a === Infinity || b === Infinity) return a === b ? 0 : a === Infinity ? 1 : -1; // what is not known comes last
      return a < b ? -sign : a > b ? sign : 0;
    });
    body.append(...ordered);
  }

  const section = table.closest<HTMLElement>("[data-results]");
  const diagrams = section?.querySelector<HTMLElement>("[data-precision]");
  const place = section?.querySelector<HTMLElement>("[data-filters]");
  if (!place) return;
  const filters: { column: number; wanted: () => string }[] = [];
  const apply = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = filters.some(({ column, wanted }) => wanted() !== "" && (row.cells[column]!.textContent ?? "").trim() !== wanted());
      const text = (row.textContent ?? "").toLowerCase();
      row.hidden ||= !text.includes(search.value.toLowerCase());
      if (!row.hidden) shown++;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
    if (diagrams) precision(diagrams, rows.filter((row) => !row.hidden).map((row) => measured(row, named)));
  };
  const search = h("input", { type: "search", "aria-label": `Search in ${section?.dataset["results"]}`, placeholder: "Search", input: apply });
  const count = h("output", {});
  for (const name of ["Problem", "Tool", "Method", "Rule", "Reference", "Machine", "Reproduced"]) {
    const column = named.indexOf(name);
    if (column < 0) continue; // whether a result was reproduced stands in one of the tables
    const values = [...new Set(rows.map((row) => (row.cells[column]!.textContent ?? "").trim()))].sort();
    if (values.length < 2) continue;
    const menu = h("select", { "aria-label": name, change: apply }, h("option", { value: "" }, `${name}: all`), ...values.map((value) => h("option", { value }, value)));
    filters.push({ column, wanted: () => menu.value });
    place.append(menu);
  }
  place.append(search, count);
  apply();
}

/** A row as the diagrams need it; settings of one tool and method make a curve. */
function measured(row: HTMLTableRowElement, headings: readonly string[]): Measured {
  const cell = (name: string) => row.cells[headings.indexOf(name)]!;
  const text = (name: string) => (cell(name).textContent ?? "").trim();
  const number = (name: string) => (cell(name).dataset["value"] ? Number(cell(name).dataset["value"]) : NaN);
  const { group = "", place = "0", bound = "" } = row.dataset;
  const method = text("Method");
  const reported = group.endsWith(" reported");
  return {
    group,
    problem: text("Problem"),
    machine: reported ? "times as reported, on machines that may differ" : text("Machine"),
    curve: text("Tool") + (method === "–" || method === "" ? "" : `, ${method}`),
    setting: text("Setting or remark"),
    place: Number(place),
    cpu: number("CPU time, ms"),
    error: number("Error, J"),
    deviation: number("Deviation"),
    bound: bound === "" ? NaN : Number(bound),
  };
}
