/** What is shown: overlays, traces, projection, colours; and the facts of what is selected. */
import { h } from "../dom";
import type { Scene } from "../scene";
import type { Overlay, Store } from "../store";

const LABELS: Readonly<Record<Overlay, string>> = {
  names: "Names of points",
  centers: "Centres of mass",
  frames: "Body axes",
  velocity: "Velocities",
  acceleration: "Accelerations",
  force: "Forces",
  reaction: "Joint reactions",
  gaps: "Loop gaps",
  plots: "Plots",
};

/** Check boxes and menus for what is shown. */
export function options(scene: Scene, store: Store, fit: () => void): HTMLElement {
  const kinds = new Set(scene.arrows.map((arrow) => arrow.kind));
  const offered = (Object.keys(LABELS) as Overlay[]).filter((overlay) => !["velocity", "acceleration", "force", "reaction"].includes(overlay) || kinds.has(overlay));
  const boxes = offered.map((overlay) => {
    const box = h("input", { type: "checkbox", checked: store.state.overlays.has(overlay), change: () => store.toggle(overlay) });
    store.listen((state) => (box.checked = state.overlays.has(overlay)));
    return h("label", {}, box, LABELS[overlay]);
  });
  const moving = scene.points.filter((point) => point.spot.body > 0);
  const traces = h(
    "select",
    { "aria-label": "Trace a point", change: () => void (traces.value !== "" && store.set({ traced: toggled(store.state.traced, traces.value) }), (traces.value = "")) },
    h("option", { value: "" }, "Trace a point …"),
    ...moving.map((point) => h("option", { value: point.name }, point.name)),
  );
  const traced = h("span", { class: "chips" });
  const listTraced = () => traced.replaceChildren(...store.state.traced.map((name) => chip(name, () => store.set({ traced: toggled(store.state.traced, name) }))));
  store.listen((state, before) => void (state.traced !== before.traced && listTraced()));
  listTraced();
  const space = h("button", { type: "button", click: () => store.set({ projection: store.state.projection === "orthographic" ? "perspective" : "orthographic" }) });
  const theme = h("button", { type: "button", title: "Light or dark (T)", click: () => store.set({ theme: store.state.theme === "light" ? "dark" : "light" }) });
  const update = () => {
    space.textContent = store.state.projection === "orthographic" ? "Perspective" : "Orthographic";
    theme.textContent = store.state.theme === "light" ? "Dark" : "Light";
  };
  store.listen(update);
  update();
  return h(
    "details",
    { class: "options" },
    h("summary", {}, "Show"),
    h("div", { class: "grid-of-options" }, ...boxes),
    h("div", { class: "row" }, traces, traced),
    h("div", { class: "row" }, h("button", { type: "button", title: "Show all of it (F)", click: fit }, "Fit view"), scene.dimension === 3 ? space : null, theme),
  );
}

function chip(name: string, remove: () => void): HTMLElement {
  return h("button", { type: "button", class: "chip", title: `Remove the trace of ${name}`, click: remove }, `${name} ×`);
}

function toggled(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}

/** What is known of the selected body or joint. */
export function inspector(scene: Scene, store: Store): HTMLElement {
  const box = h("section", { class: "inspector", "aria-live": "polite", "aria-label": "Selected part" });
  const choose = h(
    "select",
    { "aria-label": "Select a part", change: () => pick(choose.value) },
    h("option", { value: "" }, "Select a part …"),
    ...scene.bodies.slice(1).map((body, k) => h("option", { value: `body ${k + 1}` }, body.name)),
    ...scene.symbols.map((symbol, k) => h("option", { value: `symbol ${k}` }, symbol.name)),
  );
  const pick = (value: string) => {
    const [kind, index] = value.split(" ");
    store.set({ selected: value === "" ? null : { kind: kind as "body" | "symbol", index: Number(index) } });
  };
  const facts = h("dl");
  const update = () => {
    const { selected } = store.state;
    choose.value = selected === null ? "" : `${selected.kind} ${selected.index}`;
    const part = selected === null ? null : selected.kind === "body" ? scene.bodies[selected.index] : scene.symbols[selected.index];
    facts.replaceChildren(...(part ? [["name", part.name] as const, ...part.facts].flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]) : []));
  };
  store.listen((state, before) => void (state.selected !== before.selected && update()));
  update();
  box.append(choose, facts);
  return box;
}
