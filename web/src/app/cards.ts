/** Cards that can be searched, and of which one kind can be chosen. */
import { h } from "../dom";

const ALL = "all";

export function cards(): void {
  for (const list of document.querySelectorAll<HTMLElement>("[data-kinds]")) searchable(list);
}

function searchable(list: HTMLElement): void {
  const items = [...list.querySelectorAll<HTMLElement>("[data-kind]")];
  const kinds = [ALL, ...new Set(items.map((item) => item.dataset["kind"]!))];
  let chosen = ALL;
  const search = h("input", { type: "search", "aria-label": "Search in the gallery", placeholder: "Search", input: () => apply() });
  const buttons = kinds.map((kind) => h("button", { type: "button", click: () => apply(kind) }, kind));
  const count = h("output", {});

  function apply(kind = chosen): void {
    chosen = kind;
    const words = search.value.toLowerCase().split(/\s+/);
    for (const item of items) {
      const text = `${item.textContent ?? ""} ${item.dataset["kind"]!}`.toLowerCase();
      item.hidden = (chosen !== ALL && item.dataset["kind"] !== chosen) || !words.every((word) => text.includes(word));
    }
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(kinds[k] === chosen)));
    count.textContent = `${items.filter((item) => !item.hidden).length} of ${items.length} mechanisms`;
  }

  list.before(h("div", { class: "kinds", role: "search" }, search, ...buttons, count));
  apply();
}
