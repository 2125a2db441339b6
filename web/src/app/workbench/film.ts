/** A run, played where the mechanism is drawn: in the sketch or, if that does not show all of it, in a picture in its place. */
import { Vector3 } from "three";
import { h } from "../../dom";
import { Recorded } from "../../motion";
import { bytes, told } from "../../numbers";
import { world } from "../../places";
import { firstPlots, quantitiesOf } from "../../quantities";
import type { MotionPage, NamedPoint, Scene } from "../../scene";
import { Stage } from "../../stage/stage";
import { curves } from "../../ui/curves";
import { Player, firstPace, transport } from "../../ui/transport";
import { newStore, themed } from "../../viewer";
import type { Bench } from "./bench";
import { type Point, type Sketch, linksAt } from "./sketch";
import { nameOn } from "./references";

/** The motion that a page of a run holds. */
export async function sceneOf(html: string): Promise<Scene> {
  const data = /id="grashof-data">([^<]*)</.exec(html)![1]!; // not by a parser, which would apply the page's style
  const stream = new Blob([bytes(data.trim())]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (JSON.parse(await new Response(stream).text()) as MotionPage).scene;
}

export interface Film {
  /** What is played, if the sketch does not show it. */
  readonly picture: HTMLElement | null;
  readonly controls: HTMLElement;
  readonly plots: HTMLElement;
  /** All quantities at all times, as a table with commas. */
  table(): string;
  /** Ends it. */
  stop(): void;
}

/** Begins to play; `close` is what the button does that leads back to the drawing. */
export function film(bench: Bench, scene: Scene, close: () => void): Film {
  const motion = new Recorded(scene);
  const quantities = quantitiesOf(scene, motion);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const store = newStore(scene, motion.begin, firstPlots(quantities, scene.plotted), !still && motion.end > motion.begin);
  const player = new Player(motion, store, firstPace(motion));
  const spots = spotsOf(bench.page.sketch, scene);
  const drawn = bench.page.current && bench.state.kept === "" && spots !== null;
  const stage = drawn ? null : new Stage(scene, motion, store);
  if (drawn) {
    const pose = () => bench.set({ pose: posed(bench.page.sketch, spots, motion, store.state.time), stop: null });
    store.listen((state, before) => void (state.time !== before.time && pose()));
    bench.set({ traces: tracesOf(bench.page.sketch, spots, motion), tool: "move", pending: [] });
    pose();
  }
  const pace = player.pace === 1 ? "" : ` Shown ${player.pace < 1 ? `${told(1 / player.pace)} times slower` : `${told(player.pace)} times faster`}.`;
  const outcome = h("p", { class: scene.outcome && !scene.outcome.ok ? "status doubt" : "status", role: "status" }, `${scene.outcome?.text ?? ""}${pace}`);
  const back = h("button", { type: "button", click: close }, "Back to the drawing");
  const plots = h("section", { class: "grashof played", "aria-label": "The run" }, h("div", { class: "row" }, h("h2", {}, "Run"), back), outcome, curves(quantities, motion, store, (time) => player.seek(time)));
  const controls = h("div", { class: "grashof controls" }, transport(player, motion, store));
  const picture = stage && h("div", { class: "grashof still film" }, stage.element);
  for (const element of [plots, controls, picture]) if (element) themed(element, store);
  const stop = () => {
    store.set({ playing: false });
    stage?.canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    bench.set({ traces: null, pose: null });
  };
  const table = () => {
    const columns = [...quantities.values()].map((found) => ({ head: `${found.name} [${found.unit}]`, values: found.values() }));
    const heads = ["t [s]", ...columns.map(({ head }) => (/[",]/.test(head) ? `"${head.replace(/"/g, '""')}"` : head))];
    return [heads.join(","), ...Array.from(motion.times, (time, k) => [time, ...columns.map(({ values }) => values[k]!)].map((x) => Number(x.toPrecision(8))).join(","))].join("\n") + "\n";
  };
  return { picture, controls, plots, table, stop };
}

type Spots = ReadonlyMap<string, NamedPoint>;

/** Where the scene has the points of a sketch that move; null if it lacks one. */
function spotsOf(sketch: Sketch, scene: Scene): Spots | null {
  const named = new Map(scene.points.map((point) => [point.name, point]));
  const moving = sketch.points.filter((point) => !point.ground && linksAt(sketch, point.name).length > 0);
  const found = moving.map((point) => [point.name, named.get(nameOn(linksAt(sketch, point.name)[0]!, point.name))] as const);
  return found.length > 0 && found.every((pair): pair is readonly [string, NamedPoint] => pair[1] !== undefined) ? new Map(found) : null;
}

const corner = new Vector3();

function posed(sketch: Sketch, spots: Spots, motion: Recorded, time: number): Sketch {
  const poses = motion.at(time);
  const points = sketch.points.map((point): Point => {
    const spot = spots.get(point.name)?.spot;
    if (spot === undefined) return point;
    world(poses, spot, corner);
    return { ...point, x: corner.x, y: corner.y };
  });
  return { ...sketch, points };
}

/** The paths of traced points. */
function tracesOf(sketch: Sketch, spots: Spots, motion: Recorded): readonly (readonly (readonly [number, number])[])[] {
  return sketch.points.filter((point) => point.traced && spots.has(point.name)).map((point) =>
    Array.from(motion.times, (time) => {
      world(motion.at(time), spots.get(point.name)!.spot, corner);
      return [corner.x, corner.y] as const;
    }),
  );
}
