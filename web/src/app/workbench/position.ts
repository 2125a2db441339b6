/** The mechanism with its loops closed, as the server put it together. */
import { h } from "../../dom";
import { Recorded } from "../../motion";
import type { Scene } from "../../scene";
import { Stage } from "../../stage/stage";
import { Store } from "../../store";
import { preferredTheme } from "../../viewer";
import type { Bench } from "./bench";

export function position(bench: Bench): HTMLElement {
  const place = h("div", { class: "grashof still" });
  const note = h("p", { class: "note" }, "The mechanism appears here with its loops closed as soon as something is drawn.");
  const section = h("section", { class: "position", "aria-label": "Closed position", hidden: true }, h("h2", {}, "Closed position"), place, note);
  let stage: Stage | null = null;
  let scene: Scene | null = null;

  function show(): void {
    const { answer, kept } = bench.state;
    // the sketch is enough where it shows everything
    section.hidden = bench.page.current && kept === "";
    note.textContent = answer.scene === null ? (answer.state === "bad" ? "" : note.textContent) : answer.state === "bad" ? "The last position in which the loops could be closed." : "";
    note.hidden = note.textContent === "";
    place.classList.toggle("old", answer.state === "bad");
    if (answer.scene === scene || section.hidden) return;
    scene = answer.scene;
    // a browser has few pictures of this kind: the old one is given back before the next
    stage?.canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    stage = null;
    if (scene === null) return place.replaceChildren();
    const motion = new Recorded(scene);
    const store = new Store({ time: motion.begin, playing: false, speed: 1, loop: false, projection: "orthographic", theme: preferredTheme(), overlays: new Set(), traced: [], plotted: [], selected: null });
    stage = new Stage(scene, motion, store);
    place.dataset["theme"] = store.state.theme;
    place.replaceChildren(stage.element);
  }

  bench.listen((state, before) => {
    if (state.answer !== before.answer || state.kept !== before.kept || state.history !== before.history) show();
  });
  return section;
}
