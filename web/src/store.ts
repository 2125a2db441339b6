/** What a person has chosen, in one place; views are functions of it. */

export type Overlay = "names" | "frames" | "centers" | "gaps" | "velocity" | "acceleration" | "force" | "reaction" | "plots";
export type Projection = "orthographic" | "perspective";
export type Theme = "light" | "dark";

/** What is selected: a body or a symbol, by its number in the scene. */
export interface Selection {
  readonly kind: "body" | "symbol";
  readonly index: number;
}

export interface State {
  time: number;
  playing: boolean;
  /** Simulated seconds in a second of the clock, relative to the pace at which the run is shown at first. */
  speed: number;
  loop: boolean;
  projection: Projection;
  theme: Theme;
  overlays: ReadonlySet<Overlay>;
  /** Names of the points that leave a trace. */
  traced: readonly string[];
  /** Quantities in each plot. */
  plotted: readonly (readonly string[])[];
  selected: Selection | null;
}

type Listener = (state: Readonly<State>, before: Readonly<State>) => void;

export class Store {
  private readonly listeners: Listener[] = [];
  private current: Readonly<State>;

  constructor(state: State) {
    this.current = state;
  }

  get state(): Readonly<State> {
    return this.current;
  }

  set(change: Partial<State>): void {
    const before = this.current;
    this.current = { ...before, ...change };
    for (const listener of this.listeners) listener(this.current, before);
  }

  toggle(overlay: Overlay): void {
    const overlays = new Set(this.current.overlays);
    if (!overlays.delete(overlay)) overlays.add(overlay);
    this.set({ overlays });
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }
}
