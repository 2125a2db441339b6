/** What the workbench is about, in one place; views are functions of it. */
import type { Scene } from "../../scene";
import type { Camera } from "./camera";
import { type History, begun, redone, stepped, undone } from "./history";
import { EMPTY, type Part, type Sketch } from "./sketch";
import { toml } from "./toml";

export type Tool = "select" | "bar" | "plate" | "pin" | "ground" | "slider" | "spring" | "damper" | "motor" | "trace";

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

export interface State {
  history: History<Sketch>;
  /** The sketch while something of it is being dragged. */
  draft: Sketch | null;
  tool: Tool;
  /** Ends of what is being drawn. */
  pending: readonly End[];
  /** Where the pointer is, snapped. */
  pointer: End | null;
  selected: Part | null;
  camera: Camera;
  /** The description as it was edited by hand; null while it is that of the sketch. */
  edited: string | null;
  /** Points of such a description whose paths are shown in runs. */
  traced: readonly string[];
  answer: Answer;
  /** Seconds that runs simulate. */
  seconds: number;
  /** A sentence on what cannot be done. */
  remark: string;
}

type Listener = (state: Readonly<State>, before: Readonly<State>) => void;

export class Bench {
  private readonly listeners: Listener[] = [];
  private current: Readonly<State> = {
    history: begun(EMPTY),
    draft: null,
    tool: "bar",
    pending: [],
    pointer: null,
    selected: null,
    camera: { x: 0.8, y: 0.5, scale: 260 },
    edited: null,
    traced: [],
    answer: { state: "none", words: "", scene: null },
    seconds: 10,
    remark: "",
  };

  get state(): Readonly<State> {
    return this.current;
  }

  /** The sketch as it is shown. */
  get sketch(): Sketch {
    return this.current.draft ?? this.current.history.now;
  }

  /** The description of the mechanism. */
  get text(): string {
    return this.current.edited ?? toml(this.current.history.now);
  }

  set(change: Partial<State>): void {
    const before = this.current;
    this.current = { ...before, ...change };
    for (const listener of this.listeners) listener(this.current, before);
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** A step that can be undone. */
  commit(sketch: Sketch, more: Partial<State> = {}): void {
    const history = stepped(this.current.history, sketch);
    this.set({ draft: null, pending: [], remark: "", ...more, history, selected: known(sketch, more.selected ?? this.current.selected) });
  }

  undo(): void {
    this.travel(undone(this.current.history));
  }

  redo(): void {
    this.travel(redone(this.current.history));
  }

  /** Begins with another sketch or description; what was drawn before can be found by undoing. */
  open(sketch: Sketch | null, text: string | null): void {
    this.commit(sketch ?? this.current.history.now, { edited: text, traced: [], selected: null, answer: { state: "none", words: "", scene: null } });
  }

  private travel(history: History<Sketch>): void {
    this.set({ history, draft: null, pending: [], remark: "", selected: known(history.now, this.current.selected) });
  }
}

/** The part, if the sketch has it. */
function known(sketch: Sketch, part: Part | null): Part | null {
  if (part === null) return null;
  const names: Record<Part["kind"], readonly string[]> = {
    point: sketch.points.map((point) => point.name),
    link: sketch.links.map((link) => link.name),
    slider: sketch.sliders.map((slider) => slider.point),
    spring: sketch.springs.map((spring) => spring.name),
    motor: sketch.motors.map((motor) => motor.link),
  };
  return names[part.kind].includes(part.name) ? part : null;
}
