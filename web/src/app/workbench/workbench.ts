/** Where linkages are drawn: the sketch, its description, what the server says about it, and its runs. */
import "./workbench.css";
import { h, s } from "../../dom";
import { SERVER } from "./asking";
import { Bench } from "./bench";
import { fitted } from "./camera";
import { drawing } from "./canvas";
import { checking } from "./check";
import { editor } from "./editor";
import { openExample } from "./examples";
import { files, opened, shared } from "./files";
import { gestures } from "./gestures";
import { courseOf, silence } from "./kinematics/course";
import { factsOf } from "./kinematics/facts";
import { knowing } from "./knowing";
import { parts } from "./parts";
import { position } from "./position";
import { runner } from "./run";
import { selection } from "./selection";
import { packed } from "./share";
import { hints } from "./toml";
import { toolbar } from "./toolbar";
import { TOOLS } from "./tools";

const WAIT = 400;

function workbench(place: HTMLElement): void {
  const bench = new Bench();
  const canvas = s("svg", { class: "sheet", tabindex: "0", role: "application", "aria-label": "Sketch of the linkage. The parts are also listed below, where they can be edited with the keyboard." });
  const size = () => ({ width: canvas.clientWidth || 600, height: canvas.clientHeight || 400 });
  const fit = () => bench.set({ camera: fitted(bench.sketch, size(), courseOf(bench.sketch)) });
  const redraw = () => {
    canvas.dataset["tool"] = bench.state.tool;
    canvas.replaceChildren(...drawing(bench, size()));
  };
  bench.listen((state, before) => {
    if (state.history !== before.history || state.draft !== before.draft || state.pose !== before.pose || state.course !== before.course || state.traces !== before.traces || state.wish !== before.wish || state.dimensioned !== before.dimensioned || state.camera !== before.camera || state.pending !== before.pending || state.pointer !== before.pointer || state.selected !== before.selected || state.many !== before.many || state.box !== before.box || state.tool !== before.tool) redraw();
  });
  new ResizeObserver(redraw).observe(canvas);
  gestures(canvas, bench, size);
  checking(bench);
  knowing(bench);

  const detached = h("p", { class: "detached", role: "status", hidden: true });
  const apart = () => {
    const { current, sketch } = bench.page;
    const { kept, answer } = bench.state;
    const late = current ? "" : !SERVER ? "Without a server, this page cannot read the description. Save it, and run it with Grashof." : answer.state === "bad" ? "The description has an error, which is explained below. The sketch shows the last description without one." : kept === "" ? "The description is being read." : "";
    detached.textContent = [kept, late].filter((words) => words !== "").join(" ");
    detached.hidden = detached.textContent === "";
    place.classList.toggle("by-hand", !current && sketch.points.length === 0 && (answer.state === "bad" || kept !== ""));
    canvas.classList.toggle("old", !current);
  };
  bench.listen((state, before) => {
    if (state.history !== before.history || state.kept !== before.kept || state.answer !== before.answer) apart();
    if (state.history.now.current && !before.history.now.current && before.history.now.sketch.points.length === 0) {
      requestAnimationFrame(fit);
      bench.set({ tool: "move" });
    }
  });
  const run = runner(bench);
  const sheet = h("div", { class: "sketch" }, canvas, run.picture, selection(bench), detached, verdict(bench));
  const lists = h("details", { class: "parts" }, h("summary", {}, "Parts"), parts(bench));
  const description = h("section", { class: "description", "aria-label": "Description" }, h("div", { class: "row" }, h("h2", {}, "Description"), sharing(bench, canvas, run.table, fit)), editor(bench));
  place.replaceChildren(toolbar(bench, fit, run.controls), h("div", { class: "bench" }, h("div", { class: "left" }, sheet, lists), h("div", { class: "right" }, run.plots, position(bench), description)));
  linked(bench, fit);
}

/** How the tool is used, and what the server says: freedoms, or what contradicts. */
function verdict(bench: Bench): HTMLElement {
  const help = h("p", { class: "help" });
  const words = h("div", { class: "verdict", role: "status" });
  const remark = h("p", { class: "remark", role: "status" });
  const draw = () => {
    const { answer, course } = bench.state;
    words.dataset["state"] = answer.state;
    const facts = course !== null && bench.page.current ? factsOf(course) : [];
    const said = answer.words.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    // until the server has checked the mechanism, the page says what it has found itself
    const lines = answer.state === "none" && facts.length === 0 ? [silence(bench.page.sketch)] : answer.state === "good" ? said : answer.state === "bad" ? said : facts.slice(0, 1);
    words.replaceChildren(...lines.map((line) => h("p", {}, line)), ...facts.slice(1).map((line) => h("p", { class: "fact" }, line)), ...(bench.page.current ? hints(bench.page.sketch) : []).map((line) => h("p", { class: "hint" }, line)));
    remark.textContent = bench.state.stop?.sentence ?? bench.state.remark;
    remark.classList.toggle("good", bench.state.good && bench.state.stop === null);
    remark.hidden = remark.textContent === "";
    help.textContent = TOOLS.find((found) => found.tool === bench.state.tool)!.help;
    help.hidden = !bench.page.current;
  };
  bench.listen((state, before) => {
    if (state.answer !== before.answer || state.course !== before.course || state.remark !== before.remark || state.stop !== before.stop || state.history !== before.history || state.tool !== before.tool) draw();
  });
  draw();
  return h("div", { class: "told" }, help, remark, words);
}

/** Copies the link that holds everything, and opens and saves files. */
function sharing(bench: Bench, canvas: SVGSVGElement, table: () => string | null, fit: () => void): HTMLElement {
  const note = h("span", { class: "copied", role: "status" });
  const share = async () => {
    history.replaceState(null, "", await packed(shared(bench)));
    try {
      await navigator.clipboard.writeText(location.href);
      note.textContent = "The link is copied; it holds the whole mechanism.";
    } catch {
      note.textContent = "The address of this page is the link; it holds the whole mechanism.";
    }
  };
  return h("span", { class: "share" }, h("button", { type: "button", click: () => void share() }, "Copy link"), files(bench, canvas, table, fit), note);
}

/** The address of the page always holds the mechanism, so that it survives reloading; one that is opened is shown. */
function linked(bench: Bench, fit: () => void): void {
  let timer = 0;
  const open = async () => {
    try {
      if (location.hash.startsWith("#example=")) return await openExample(bench, decodeURIComponent(location.hash.slice(9)));
      await opened(bench, location.hash);
      fit();
    } catch (problem) {
      bench.set({ remark: problem instanceof Error ? problem.message : String(problem) });
    }
  };
  bench.listen((state, before) => {
    if (state.history === before.history && state.seconds === before.seconds) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void packed(shared(bench)).then((fragment) => history.replaceState(null, "", fragment)), WAIT);
  });
  window.addEventListener("hashchange", () => void open());
  void open();
}

workbench(document.getElementById("workbench")!);
