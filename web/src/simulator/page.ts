/** A live mechanism with everything around it. */
import { h } from "../dom";
import { Engine, type LiveData } from "../live/engine";
import { told } from "../numbers";
import type { Scene } from "../scene";
import { Stage } from "../stage/stage";
import type { Store } from "../store";
import { inspector, options } from "../ui/panel";
import { type Viewer, newStore, themed } from "../viewer";
import { liveCurves } from "./curves";
import { hand } from "./hand";
import { knobs } from "./knobs";
import { redrawn } from "./redrawn";
import { Simulator } from "./simulator";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export interface LiveViewer extends Viewer {
  readonly simulator: Simulator;
}

export async function liveViewer(scene: Scene, data: LiveData): Promise<LiveViewer> {
  const engine = await Engine.load(data);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const store = newStore(scene, engine.time, [], !still);
  const { span } = data.settings;
  const simulator = new Simulator(engine, store, span >= 2 && span <= 60 ? 1 : span / 8);
  const stage = new Stage(scene, simulator.history, store);
  simulator.listen(
    () => stage.draw(),
    () => stage.rebuild(redrawn(scene, engine.drawn)),
  );
  stage.element.append(hand(stage, simulator));
  const picture = h("div", { class: "picture" }, stage.element, transport(simulator, store));
  const side = h("aside", { class: "side", "aria-label": "Details" }, knobs(simulator), liveCurves(simulator, store), options(scene, store, () => stage.fit()), inspector(scene, store));
  const element = h("article", { class: "grashof live", "aria-label": `Mechanism ${scene.name}` }, heading(scene, simulator), h("div", { class: "body" }, picture, side));
  themed(element, store);
  element.addEventListener("keydown", (event) => keyboard(event, store, simulator, stage));
  return { element, stage, store, simulator };
}

function heading(scene: Scene, simulator: Simulator): HTMLElement {
  const { pace } = simulator;
  const shown = pace === 1 ? null : h("span", { class: "pace" }, pace < 1 ? `shown ${told(1 / pace)} times slower` : `shown ${told(pace)} times faster`);
  const status = h("p", { role: "status" });
  const update = () => {
    const { outcome } = simulator;
    const text = outcome.ok ? "Simulated in this page." : outcome.sentence;
    if (status.textContent !== text) status.textContent = text;
    status.className = outcome.ok ? "status" : "status doubt";
  };
  simulator.listen(update, () => undefined);
  update();
  const pulls = h("p", { class: "notes" }, `Drag a body to pull it${simulator.engine.motors.length > 0 ? ", or one that a motor turns to turn it" : ""}.`);
  return h("header", {}, h("h1", {}, scene.name), shown, status, pulls);
}

function transport(simulator: Simulator, store: Store): HTMLElement {
  const play = h("button", { type: "button", class: "play", click: () => simulator.toggle() });
  const restart = h("button", { type: "button", title: "Start again (Home)", click: () => simulator.restart() }, "|◀ Restart");
  const step = h("button", { type: "button", title: "One step (→)", "aria-label": "One step", click: () => simulator.step() }, "+");
  const reverse = h("button", { type: "button", class: "toggle", title: "Let time run backwards (R)", click: () => simulator.reverse() }, "◀ Reverse");
  const speed = h("select", { "aria-label": "Speed", change: () => store.set({ speed: Number(speed.value) }) }, ...SPEEDS.map((x) => h("option", { value: x, selected: x === 1 }, `${x}×`)));
  const clock = h("output", { class: "clock", "aria-live": "off" });
  const error = h("output", { class: "clock error", "aria-live": "off", title: "Estimated error since the start, relative to the length, speed and energy of the mechanism" });
  const update = () => {
    play.textContent = store.state.playing ? "❚❚ Pause" : "▶ Play";
    reverse.setAttribute("aria-pressed", String(simulator.reversed));
    clock.textContent = `${told(store.state.time)} s`;
    error.textContent = `error ${told(simulator.engine.error)}`;
  };
  store.listen(update);
  simulator.listen(update, update);
  update();
  return h("div", { class: "transport", role: "group", "aria-label": "Simulation" }, play, restart, reverse, step, speed, clock, error);
}

function keyboard(event: KeyboardEvent, store: Store, simulator: Simulator, stage: Stage): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.altKey || event.metaKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
  const keys: Record<string, () => void> = {
    " ": () => simulator.toggle(),
    ArrowRight: () => simulator.step(),
    Home: () => simulator.restart(),
    r: () => simulator.reverse(),
    n: () => store.toggle("names"),
    t: () => store.set({ theme: store.state.theme === "light" ? "dark" : "light" }),
    f: () => stage.fit(),
  };
  const action = keys[event.key];
  if (!action || (event.key === " " && ["BUTTON", "SUMMARY"].includes(target.tagName))) return;
  event.preventDefault();
  action();
}
