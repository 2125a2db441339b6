/** Play, pause, scrub, step, speed, loop. */
import { h } from "../dom";
import type { Motion } from "../motion";
import { told } from "../numbers";
import type { Store } from "../store";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
const STEPS = 200;

/** Lets time run in the store, at a pace in simulated seconds a second. */
export class Player {
  private last: number | null = null;

  constructor(
    private readonly motion: Motion,
    private readonly store: Store,
    readonly pace: number,
  ) {
    store.listen((state, before) => {
      if (state.playing && !before.playing) this.begin();
    });
    if (store.state.playing) this.begin();
  }

  toggle(): void {
    const { state } = this.store;
    const time = !state.playing && state.time >= this.motion.end ? this.motion.begin : state.time;
    this.store.set({ playing: !state.playing, time });
  }

  seek(time: number): void {
    this.store.set({ time: Math.min(this.motion.end, Math.max(this.motion.begin, time)), playing: false });
  }

  step(count: number): void {
    this.seek(this.store.state.time + (count * (this.motion.end - this.motion.begin)) / STEPS);
  }

  private begin(): void {
    this.last = null;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const { state } = this.store;
    if (!state.playing) return;
    const passed = this.last === null ? 0 : Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    let time = state.time + passed * this.pace * state.speed;
    const { begin, end } = this.motion;
    let playing = true;
    if (time >= end) {
      if (state.loop && end > begin) time = begin + ((time - begin) % (end - begin));
      else [time, playing] = [end, false];
    }
    this.store.set({ time, playing });
    if (playing) requestAnimationFrame((later) => this.tick(later));
  }
}

/** The bar of controls below the picture. */
export function transport(player: Player, motion: Motion, store: Store): HTMLElement {
  const play = h("button", { type: "button", class: "play", click: () => player.toggle() });
  const slider = h("input", { type: "range", class: "time", min: 0, max: 1000, step: "any", "aria-label": "Time", input: () => player.seek(motion.begin + (Number(slider.value) / 1000) * (motion.end - motion.begin)) });
  const clock = h("output", { class: "clock", "aria-live": "off" });
  const speed = h("select", { "aria-label": "Speed", change: () => store.set({ speed: Number(speed.value) }) }, ...SPEEDS.map((x) => h("option", { value: x, selected: x === 1 }, `${x}×`)));
  const loop = h("button", { type: "button", class: "toggle", title: "Repeat (L)", "aria-pressed": "true", click: () => store.set({ loop: !store.state.loop }) }, "↻ Loop");
  const button = (text: string, label: string, click: () => void) => h("button", { type: "button", "aria-label": label, title: label, click }, text);
  const bar = h(
    "div",
    { class: "transport", role: "group", "aria-label": "Playback" },
    play,
    button("|◀", "Go to the start (Home)", () => player.seek(motion.begin)),
    button("−", "One step back (←)", () => player.step(-1)),
    button("+", "One step forward (→)", () => player.step(1)),
    slider,
    clock,
    speed,
    loop,
  );
  const update = () => {
    const { state } = store;
    const long = motion.end - motion.begin;
    const action = state.playing ? "❚❚ Pause" : "▶ Play";
    if (play.textContent !== action) play.textContent = action;
    play.title = state.playing ? "Pause (space)" : "Play (space)";
    slider.value = String(long > 0 ? (1000 * (state.time - motion.begin)) / long : 0);
    slider.setAttribute("aria-valuetext", `${told(state.time)} of ${told(motion.end)} seconds`);
    clock.textContent = `${state.time.toFixed(digits(long))} s`;
    loop.setAttribute("aria-pressed", String(state.loop));
    if (Number(speed.value) !== state.speed) speed.value = String(state.speed);
  };
  store.listen(update);
  update();
  return bar;
}

function digits(long: number): number {
  return long > 0 ? Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(long)))) : 2;
}

/** How fast a run is shown at first: as it is if it lasts between 2 s and 30 s, else within 8 s. */
export function firstPace(motion: Motion): number {
  const long = motion.end - motion.begin;
  return long >= 2 && long <= 30 ? 1 : long > 0 ? long / 8 : 1;
}
