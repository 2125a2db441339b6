/** Lets time run: the engine is asked for the state of every frame, and what it says is kept. */
import type { Engine, Outcome } from "../live/engine";
import type { Store } from "../store";
import { History } from "./history";

/** ms: a frame that takes longer than the first slows time down, so that the page stays quick; one shorter than the second lets it catch up. */
const SLOW = 24;
const QUICK = 8;

/** s of the clock between two states that plots and traces are made from, at most. */
const SAMPLED = 1 / 100;

type Listener = () => void;

export class Simulator {
  readonly history: History;
  /** The numbers that are wanted; those of the engine if it could be put together with them. */
  readonly wanted: Float64Array;
  outcome: Outcome;
  /** Is called before each frame, while time runs. */
  before: Listener = () => undefined;
  private forwards = 1;
  private share = 1;
  private last: number | null = null;
  private readonly listeners: { told: Listener; rebuilt: Listener }[] = [];

  /** `pace` is simulated seconds in a second of the clock. */
  constructor(
    readonly engine: Engine,
    private readonly store: Store,
    readonly pace: number,
  ) {
    this.history = new History(engine.bodies.length, 10 * pace);
    this.wanted = engine.values;
    this.outcome = engine.advance(engine.time);
    this.note();
    store.listen((state, before) => {
      if (state.playing && !before.playing) this.begin();
    });
    if (store.state.playing) this.begin();
  }

  get playing(): boolean {
    return this.store.state.playing;
  }

  get reversed(): boolean {
    return this.forwards < 0;
  }

  /** Listens to outcomes, and to changes of what is drawn. */
  listen(told: Listener, rebuilt: Listener): void {
    this.listeners.push({ told, rebuilt });
  }

  reverse(): void {
    this.forwards = -this.forwards;
    this.tell(this.outcome);
  }

  toggle(): void {
    this.store.set({ playing: !this.store.state.playing, time: this.engine.time });
  }

  /** Begins anew with the wanted numbers; where that cannot be, the last good position stays. */
  restart(): void {
    const outcome = this.engine.restart(this.wanted);
    if (outcome.ok) {
      this.forwards = 1;
      this.history.clear();
      this.note();
      for (const { rebuilt } of this.listeners) rebuilt();
    }
    this.tell(outcome);
  }

  /** Another value of a number. */
  change(number: number, value: number): void {
    this.wanted[number] = value;
    this.restart();
  }

  /** A step of the time that a fiftieth of a second shows. */
  step(): void {
    this.store.set({ playing: false });
    this.go(0.02);
  }

  /** What the engine says, without time having run. */
  looked(outcome: Outcome): void {
    this.note();
    this.tell(outcome);
  }

  private begin(): void {
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    if (!this.store.state.playing) return;
    const passed = this.last === null ? 0 : Math.min(0.05, (now - this.last) / 1000);
    this.last = now;
    this.before();
    this.go(passed * this.share);
    if (this.store.state.playing) requestAnimationFrame((later) => this.tick(later));
  }

  /** Goes on by the time that so many seconds of the clock show. */
  private go(seconds: number): void {
    const began = performance.now();
    const { engine } = this;
    const count = Math.max(1, Math.ceil(seconds / SAMPLED));
    const part = (this.forwards * seconds * this.pace * this.store.state.speed) / count;
    let outcome = engine.advance(engine.time + part);
    for (let k = 1; k < count && outcome.reached; k++) {
      this.history.add(engine.time, engine.poses(), engine.quantities());
      outcome = engine.advance(engine.time + part);
    }
    const took = performance.now() - began;
    if (took > SLOW) this.share = Math.max(0.02, 0.7 * this.share);
    else if (took < QUICK) this.share = Math.min(1, 1.1 * this.share);
    this.note();
    if (!outcome.reached) this.store.set({ playing: false });
    this.tell(outcome);
  }

  private note(): void {
    this.history.add(this.engine.time, this.engine.poses(), this.engine.quantities());
    this.store.set({ time: this.engine.time });
  }

  private tell(outcome: Outcome): void {
    this.outcome = outcome;
    for (const { told } of this.listeners) told();
  }
}
