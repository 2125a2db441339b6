/** Runs: how far they are, and the page with what came of them. */
import { h } from "../../dom";
import type { Scene } from "../../scene";
import { ROOT, SERVER, asked } from "./asking";
import type { Bench } from "./bench";
import { computed } from "./dynamics/computed";
import { type Film, film, sceneOf } from "./film";
import { followRun } from "./job";

/** The controls of runs, and the place where a run is shown. */
export function runner(bench: Bench): { readonly controls: HTMLElement; readonly picture: HTMLElement; readonly plots: HTMLElement; readonly table: () => string | null } {
  const seconds = h("input", { type: "number", min: "0.001", max: "1000000", step: "any", value: bench.state.seconds, "aria-label": "Seconds to simulate", change: () => bench.set({ seconds: Number(seconds.value) || 10 }) });
  const start = h("button", { type: "button", class: "main", click: () => void run(false) }, "Run");
  const begin = h("button", { type: "button", hidden: !SERVER, title: "Simulates the mechanism in the browser: change its numbers and pull its links while it moves.", click: () => void run(true) }, "Run live");
  const cancel = h("button", { type: "button", hidden: true, click: () => void stop() }, "Cancel");
  const bar = h("progress", { max: "1", "aria-label": "Progress of the run" });
  const words = h("span", { class: "doing" });
  const state = h("div", { class: "progress", role: "status", hidden: true }, bar, words);
  const problem = h("p", { class: "sentence", role: "alert", hidden: true });
  const picture = h("div", { class: "result" });
  const plots = h("div", { class: "plotted", hidden: true });
  let played: Film | null = null;
  let job: string | null = null;
  let halted = false;

  function tell(sentence: string): void {
    problem.textContent = sentence;
    problem.hidden = sentence === "";
  }

  function busy(on: boolean): void {
    start.disabled = begin.disabled = on;
    cancel.hidden = state.hidden = !on;
  }

  async function run(live: boolean): Promise<void> {
    if (bench.page.text === null && bench.page.sketch.links.length === 0) return tell("There is nothing to simulate yet: draw a bar, or open an example.");
    tell("");
    busy(true);
    bar.removeAttribute("value");
    words.textContent = "waiting";
    try {
      if (SERVER) await ask(live);
      else {
        halted = false;
        const scene = await computed(bench.page, bench.state.seconds, (part) => { progress(part, "computing in this page"); return halted; });
        if (scene === null) return tell("The run was cancelled.");
        play(scene);
      }
    } catch (failure) {
      tell(failure instanceof Error ? failure.message : String(failure));
    } finally {
      job = null;
      busy(false);
    }
  }

  function progress(part: number, doing: string): void {
    bar.value = part;
    words.textContent = `${Math.floor(100 * part)} %, ${doing}`;
  }

  /** A run by the server. */
  async function ask(live: boolean): Promise<void> {
    const address = await followRun(bench, live ? [["form", "live"]] : [], (name) => { job = name; }, progress);
    if (address === null) return tell("The run was cancelled.");
    if (live) showLive(address);
    else play(await sceneOf(await (await fetch(address)).text()));
  }

  async function stop(): Promise<void> {
    halted = true;
    if (job === null) return;
    cancel.disabled = true;
    await asked(`/api/runs/${job}/cancel`, { method: "POST" }).catch(() => undefined);
    cancel.disabled = false;
  }

  /** Plays a run in the sketch, or a picture of it in the place of the sketch. */
  function play(scene: Scene): void {
    close();
    played = film(bench, scene, close);
    if (played.picture) cover(played.picture);
    picture.append(played.controls);
    plots.replaceChildren(played.plots);
    plots.hidden = false;
  }

  function showLive(address: string): void {
    close();
    cover(h("div", { class: "lively" }, h("button", { type: "button", click: close }, "Back to the drawing"), h("iframe", { class: "viewer", src: address, title: "The run" })));
  }

  function cover(shown: HTMLElement): void {
    picture.append(shown);
    picture.classList.add("covers");
  }

  /** Ends what is played, and leads back to the drawing. */
  function close(): void {
    played?.stop();
    played = null;
    picture.replaceChildren();
    picture.classList.remove("covers");
    plots.replaceChildren();
    plots.hidden = true;
  }

  // nobody waits for a run whose page is closed
  window.addEventListener("pagehide", () => {
    if (job !== null) navigator.sendBeacon(`${ROOT}/api/runs/${job}/cancel`);
  });
  bench.listen((now, before) => {
    if (now.history.now !== before.history.now) {
      tell(""); // it was said of another mechanism
      if (now.history.now.text !== before.history.now.text || now.history.now.sketch !== before.history.now.sketch) close();
    }
    if (played !== null && now.tool !== before.tool && now.tool !== "move") close(); // who draws is done with looking
    if (now.seconds !== before.seconds) seconds.value = String(now.seconds);
  });
  const controls = h("section", { class: "run", "aria-label": "Run" }, h("div", { class: "row" }, h("label", {}, "Simulate ", seconds, " s"), start, begin, cancel, state), problem);
  return { controls, picture, plots, table: () => played?.table() ?? null };
}
