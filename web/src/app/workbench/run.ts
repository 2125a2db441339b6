/** Runs: how far they are, and the page with what came of them. */
import { h } from "../../dom";
import { told } from "../../numbers";
import { ROOT, asked } from "./asking";
import type { Bench } from "./bench";

interface Job {
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly part: number;
  readonly doing: string;
  readonly sentence: string;
  readonly seconds_left: number | null;
}

const PACE = 300;

/** The controls of runs, and the place where a run is shown. */
export function runner(bench: Bench): { readonly controls: HTMLElement; readonly result: HTMLElement } {
  const seconds = h("input", { type: "number", min: "0.001", max: "1000000", step: "any", value: bench.state.seconds, "aria-label": "Seconds to simulate", change: () => bench.set({ seconds: Number(seconds.value) || 10 }) });
  const start = h("button", { type: "button", class: "main", click: () => void run(false) }, "Run");
  const begin = h("button", { type: "button", title: "Simulates the mechanism in the browser: change its numbers and pull its links while it moves.", click: () => void run(true) }, "Run live");
  const cancel = h("button", { type: "button", hidden: true, click: () => void stop() }, "Cancel");
  const bar = h("progress", { max: "1", "aria-label": "Progress of the run" });
  const words = h("span", { class: "doing" });
  const state = h("div", { class: "progress", role: "status", hidden: true }, bar, words);
  const problem = h("p", { class: "sentence", role: "alert", hidden: true });
  const place = h("div", { class: "result" });
  let job: string | null = null;

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
    const { traced } = bench;
    const wanted = new URLSearchParams([["t_end", String(bench.state.seconds)], ...(live ? [["live", "1"]] : []), ...traced.map((name) => ["trace", name])]);
    try {
      job = (await asked<{ job: string }>(`/api/runs?${wanted}`, { method: "POST", body: bench.text })).job;
      for (;;) {
        const found = await asked<Job>(`/api/runs/${job}`);
        if (found.state === "done") break;
        if (found.state === "failed") throw new Error(found.sentence);
        if (found.state === "cancelled") return tell("The run was cancelled.");
        bar.value = found.part;
        const left = found.seconds_left === null ? "" : `, about ${found.seconds_left < 1 ? "1 s" : `${told(Math.ceil(found.seconds_left))} s`} left`;
        words.textContent = `${Math.floor(100 * found.part)} %, ${found.doing}${left}`;
        await new Promise((resolve) => setTimeout(resolve, PACE));
      }
      show(`${ROOT}/api/runs/${job}/page`);
    } catch (failure) {
      tell(failure instanceof Error ? failure.message : String(failure));
    } finally {
      job = null;
      busy(false);
    }
  }

  async function stop(): Promise<void> {
    if (job === null) return;
    cancel.disabled = true;
    await asked(`/api/runs/${job}/cancel`, { method: "POST" }).catch(() => undefined);
    cancel.disabled = false;
  }

  function show(address: string): void {
    const frame = h("iframe", { class: "viewer", src: address, title: "The run" });
    place.replaceChildren(frame);
    frame.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "nearest" });
  }

  // nobody waits for a run whose page is closed
  window.addEventListener("pagehide", () => {
    if (job !== null) navigator.sendBeacon(`${ROOT}/api/runs/${job}/cancel`);
  });
  bench.listen((now, before) => {
    if (now.history.now !== before.history.now) tell(""); // it was said of another mechanism
    if (now.seconds !== before.seconds) seconds.value = String(now.seconds);
  });
  const controls = h("section", { class: "run", "aria-label": "Run" }, h("div", { class: "row" }, h("label", {}, "Simulate ", seconds, " s"), start, begin, cancel, state), problem);
  return { controls, result: place };
}
