/** A recorded motion with everything around it. */
import { h } from "./dom";
import { Recorded } from "./motion";
import { told } from "./numbers";
import { firstPlots, quantitiesOf } from "./quantities";
import type { Scene } from "./scene";
import { Stage } from "./stage/stage";
import { type Overlay, Store, type Theme } from "./store";
import { curves } from "./ui/curves";
import { inspector, options } from "./ui/panel";
import { Player, firstPace, transport } from "./ui/transport";

export interface Viewer {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly store: Store;
}

/** Light or dark, as the person's system is. */
export function preferredTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Keeps the colours of an element those of the store's theme. */
export function themed(element: HTMLElement, store: Store): void {
  const apply = () => void (element.dataset["theme"] = store.state.theme);
  store.listen(apply);
  apply();
}

export function newStore(scene: Scene, time: number, plotted: readonly (readonly string[])[], playing: boolean): Store {
  const overlays = new Set<Overlay>(["plots"]);
  return new Store({ time, playing, speed: 1, loop: true, projection: "orthographic", theme: preferredTheme(), overlays, traced: lastPoint(scene), plotted, selected: null });
}

export function viewer(scene: Scene): Viewer {
  const motion = new Recorded(scene);
  const moves = motion.end > motion.begin;
  const quantities = quantitiesOf(scene, motion);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const store = newStore(scene, motion.begin, moves ? firstPlots(quantities, scene.plotted) : [], moves && !still);
  const stage = new Stage(scene, motion, store);
  const player = new Player(motion, store, firstPace(motion));
  const picture = h("div", { class: "picture" }, stage.element, moves ? transport(player, motion, store) : null);
  const side = h("aside", { class: "side", "aria-label": "Details" }, options(scene, store, () => stage.fit()), moves ? curves(quantities, motion, store, (time) => player.seek(time)) : null, inspector(scene, store), moments(scene, player));
  const element = h("article", { class: "grashof", "aria-label": `Mechanism ${scene.name}` }, heading(scene, player), h("div", { class: "body" }, picture, side));
  themed(element, store);
  element.addEventListener("keydown", (event) => keyboard(event, store, player, stage));
  return { element, stage, store };
}

function heading(scene: Scene, player: Player): HTMLElement {
  const pace = player.pace === 1 ? null : h("span", { class: "pace" }, player.pace < 1 ? `shown ${told(1 / player.pace)} times slower` : `shown ${told(player.pace)} times faster`);
  const { outcome } = scene;
  const status = outcome ? h("p", { class: outcome.ok ? "status" : "status doubt", role: "status" }, outcome.text) : null;
  const notes = scene.notes.length > 0 ? h("p", { class: "notes" }, scene.notes.map(([name, text]) => `${name}: ${text}`).join(". ") + ".") : null;
  return h("header", {}, h("h1", {}, scene.name), pace, status, notes);
}

/** What happened on the way; a click goes there. */
function moments(scene: Scene, player: Player): HTMLElement | null {
  if (scene.moments.length === 0) return null;
  const items = scene.moments.slice(0, 200).map((moment) => h("li", {}, h("button", { type: "button", click: () => player.seek(moment.time) }, `${told(moment.time)} s: ${moment.name}`)));
  return h("details", { class: "moments" }, h("summary", {}, `Events (${scene.moments.length})`), h("ol", {}, ...items));
}

/** Traced at first: what the scene asks for or, if points are few, the last of those that move. */
function lastPoint(scene: Scene): readonly string[] {
  if (scene.traced.length > 0) return scene.traced;
  const moving = scene.points.filter((point) => point.spot.body > 0);
  return moving.length > 0 && moving.length <= 40 ? [moving[moving.length - 1]!.name] : [];
}

function keyboard(event: KeyboardEvent, store: Store, player: Player, stage: Stage): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.altKey || event.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
  const { state } = store;
  const keys: Record<string, () => void> = {
    " ": () => player.toggle(),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    Home: () => player.seek(-Infinity),
    End: () => player.seek(Infinity),
    l: () => store.set({ loop: !state.loop }),
    n: () => store.toggle("names"),
    t: () => store.set({ theme: state.theme === "light" ? "dark" : "light" }),
    f: () => stage.fit(),
  };
  const action = keys[event.key];
  if (!action || (event.key === " " && target.tagName === "BUTTON") || (event.key === " " && target.tagName === "SUMMARY")) return;
  event.preventDefault();
  action();
}
