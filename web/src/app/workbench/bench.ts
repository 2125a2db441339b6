/** What the workbench is about, in one place; views are functions of it. */
import type { Scene } from "../../scene";
import type { Camera } from "./camera";
import type { DeviceType } from "./devices/kinds";
import { type History, begun, redone, stepped, undone } from "./history";
import { merged } from "./merge";
import type { Course } from "./kinematics/course";
import type { Stop } from "./kinematics/drag";
import { EMPTY, type Part, type Sketch, has } from "./sketch";
import { toml, tracedPoints, withTraced } from "./toml";
import type { Place } from "./wish";

export type Tool = DeviceType | "move" | "select" | "bar" | "plate" | "pin" | "ground" | "slider" | "slot" | "spring" | "damper" | "force" | "torque" | "motor" | "trace" | "path";

/** Where something begins or ends: a point, or a place where there is none yet. */
export interface End {
  readonly x: number;
  readonly y: number;
  readonly point: string | null;
}

/** What the server says about the mechanism; `scene` is the last position that could be closed. */
export interface Answer {
  readonly state: "none" | "asking" | "good" | "bad";
  readonly words: string;
  readonly scene: Scene | null;
}

/** A sketch and its description. */
export interface Page {
  readonly sketch: Sketch;
  /** The description; null while it is just that of the sketch. */
  readonly text: string | null;
  /** Whether the sketch is that of the description: it is not while the description is being read, or cannot be. */
  readonly current: boolean;
  /** Whether the description was typed last. */
  readonly typed: boolean;
}

export interface State {
  history: History<Page>;
  /** The sketch while something of it is being dragged. */
  draft: Sketch | null;
  /** The sketch where it was moved to by hand; its lengths are those of the page's. */
  pose: Sketch | null;
  /** What stops the linkage that is being moved. */
  stop: Stop | null;
  /** All positions that the linkage can take; null if they are not known. */
  course: Course | null;
  /** Paths of points in the run that is played; null while none is. */
  traces: readonly (readonly (readonly [number, number])[])[] | null;
  /** The path that a point is to follow, as it was drawn. */
  wish: readonly Place[];
  /** Whether the lengths of all bars are written on the drawing. */
  dimensioned: boolean;
  tool: Tool;
  /** Ends of what is being drawn. */
  pending: readonly End[];
  /** Where the pointer is, snapped. */
  pointer: End | null;
  selected: Part | null;
  /** Points that are selected together. */
  many: readonly string[];
  /** Corners of the box in which points are being selected, m. */
  box: readonly [number, number, number, number] | null;
  camera: Camera;
  /** Points whose paths are shown in runs, as a description calls them that has no sketch yet. */
  traced: readonly string[];
  /** A sentence on what the description has and the sketch does not show. */
  kept: string;
  answer: Answer;
  /** Seconds that runs simulate. */
  seconds: number;
  /** A sentence on what cannot be done, or has been. */
  remark: string;
  /** Whether the sentence is on what has been done. */
  good: boolean;
}

type Listener = (state: Readonly<State>, before: Readonly<State>) => void;

export class Bench {
  private readonly listeners: Listener[] = [];
  private current: Readonly<State> = {
    history: begun({ sketch: EMPTY, text: null, current: true, typed: false }),
    draft: null,
    pose: null,
    stop: null,
    course: null,
    traces: null,
    wish: [],
    dimensioned: false,
    tool: "bar",
    pending: [],
    pointer: null,
    selected: null,
    many: [],
    box: null,
    camera: { x: 0.8, y: 0.5, scale: 260 },
    traced: [],
    kept: "",
    answer: { state: "none", words: "", scene: null },
    seconds: 10,
    remark: "",
    good: false,
  };

  get state(): Readonly<State> {
    return this.current;
  }

  get page(): Page {
    return this.current.history.now;
  }

  /** The sketch as it is edited. */
  get sketch(): Sketch {
    return this.current.draft ?? this.page.sketch;
  }

  /** The sketch as it is shown: perhaps in another position. */
  get shown(): Sketch {
    return this.current.draft ?? this.current.pose ?? this.page.sketch;
  }

  /** The description of the mechanism. */
  get text(): string {
    return this.page.text ?? toml(this.page.sketch);
  }

  /** Points of all that is selected. */
  get grasped(): readonly string[] {
    const { many, selected } = this.current;
    if (many.length > 0) return many;
    return selected?.kind === "point" ? [selected.name] : selected?.kind === "link" ? this.page.sketch.links.find((link) => link.name === selected.name)?.points ?? [] : [];
  }

  /** Points whose paths are shown in runs. */
  get traced(): readonly string[] {
    return this.page.current ? tracedPoints(this.page.sketch) : this.current.traced;
  }

  set(change: Partial<State>): void {
    const before = this.current;
    const back = change.pose === undefined && (change.history !== undefined || (change.tool !== undefined && change.tool !== "move"));
    const now = { ...before, ...(change.remark === undefined ? {} : { good: false }), ...(back ? { pose: null, stop: null } : {}), ...change };
    const left = change.history === undefined ? now.many : now.many.filter((name) => has(now.history.now.sketch, { kind: "point", name }));
    this.current = left.length === now.many.length ? now : { ...now, many: left };
    for (const listener of this.listeners) listener(this.current, before);
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** A step in the sketch, which can be undone. A description that says more than the sketch keeps all that was not changed. */
  commit(sketch: Sketch, more: Partial<State> = {}): void {
    const { page } = this;
    const done = { draft: null, pending: [], remark: "" };
    if (sketch === page.sketch) return this.set({ ...done, ...more });
    if (!page.current) return this.set({ draft: null, pending: [], remark: "The sketch is not that of the description: correct the description first, or undo." });
    try {
      const text = page.text === null ? null : merged(page.text, page.sketch, sketch);
      const history = stepped(this.current.history, { sketch, text, current: true, typed: false });
      this.set({ ...done, ...more, history, selected: known(sketch, more.selected ?? this.current.selected) });
    } catch (problem) {
      this.set({ ...done, remark: `The description could not be changed. ${problem instanceof Error ? problem.message : ""}` });
    }
  }

  /** Ends a motion by hand. A linkage that was drawn stays where it is; a described one starts where its description says. */
  rest(): void {
    const { pose } = this.current;
    if (pose !== null && this.page.text === null) this.commit(pose);
  }

  /** The description as it was typed; what is typed without a pause in between is one step. */
  edit(text: string): void {
    const { page } = this;
    const { history } = this.current;
    const same = page.current && text === toml(page.sketch);
    const typed: Page = { sketch: page.sketch, text: same ? null : text, current: same, typed: true };
    this.set({ history: page.typed ? { ...history, now: typed } : stepped(history, typed), traced: this.traced, draft: null, pending: [] });
  }

  /** Takes over the sketch that the server has made of a description; null if there can be none. */
  adopt(text: string, sketch: Sketch | null, kept: string): void {
    const { page } = this;
    if (page.text !== text) return;
    if (sketch === null || page.current) return this.set({ kept });
    const found = withTraced(sketch, this.current.traced);
    this.set({ kept, draft: null, history: { ...this.current.history, now: { ...page, sketch: found, current: true } }, selected: known(found, this.current.selected) });
  }

  undo(): void {
    this.travel(undone(this.current.history));
  }

  redo(): void {
    this.travel(redone(this.current.history));
  }

  /** Begins with another sketch or description; undo brings back what was there before. */
  open(sketch: Sketch | null, text: string | null, traced: readonly string[] = []): void {
    const page: Page = { sketch: sketch ?? EMPTY, text: sketch === null ? text : null, current: sketch !== null, typed: false };
    this.set({ history: stepped(this.current.history, page), draft: null, wish: [], pending: [], remark: "", kept: "", traced, selected: null, answer: { state: "none", words: "", scene: null } });
  }

  private travel(history: History<Page>): void {
    this.set({ history, draft: null, wish: [], pending: [], remark: "", kept: "", selected: known(history.now.sketch, this.current.selected) });
  }
}

/** The part, if the sketch has it. */
const known = (sketch: Sketch, part: Part | null): Part | null => (part !== null && has(sketch, part) ? part : null);
