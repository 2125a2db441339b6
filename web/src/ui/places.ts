/** Places for many mechanisms on one page: each is made when it is about to be seen, moves only while it is, and goes when too many others have been seen since. */
import { h } from "../dom";
import type { Scene } from "../scene";
import type { Theme } from "../store";
import { type Viewer, viewer } from "../viewer";

/** How far outside of the window a mechanism is made ready. */
const AHEAD = "400px 0px";

/** Browsers allow about 16 pictures by the graphics card on a page. */
const MOST = 8;

interface Shown {
  readonly found: Viewer;
  readonly watch: IntersectionObserver;
}

export class Places {
  /** By place; what was seen last is last. */
  private readonly shown = new Map<HTMLElement, Shown>();

  /** @param viewers is kept up to date with the viewers that there are */
  constructor(
    private readonly viewers: Viewer[],
    private theme: Theme,
  ) {}

  /** A place for the mechanism of a scene. */
  of(scene: Scene): HTMLElement {
    const box = h("div", { class: "place" }, waiting());
    const soon = new IntersectionObserver((entries) => void (entries[entries.length - 1]!.isIntersecting && this.fill(box, scene)), { rootMargin: AHEAD });
    soon.observe(box);
    return box;
  }

  recolor(theme: Theme): void {
    this.theme = theme;
    for (const { store } of this.viewers) store.set({ theme });
  }

  private fill(box: HTMLElement, scene: Scene): void {
    const known = this.shown.get(box);
    this.shown.delete(box);
    if (this.shown.size >= MOST) this.empty(this.shown.keys().next().value!);
    this.shown.set(box, known ?? this.made(box, scene));
  }

  private made(box: HTMLElement, scene: Scene): Shown {
    const found = viewer(scene);
    found.store.set({ theme: this.theme });
    this.viewers.push(found);
    box.replaceChildren(found.element);
    return { found, watch: resting(box, found) };
  }

  private empty(box: HTMLElement): void {
    const { found, watch } = this.shown.get(box)!;
    this.shown.delete(box);
    this.viewers.splice(this.viewers.indexOf(found), 1);
    watch.disconnect();
    found.store.set({ playing: false });
    found.stage.dispose();
    box.style.minHeight = `${box.getBoundingClientRect().height}px`; // what is below stays where it is
    box.replaceChildren(waiting());
  }
}

function waiting(): HTMLElement {
  return h("p", { class: "wait" }, "The mechanism appears here.");
}

/** Stops the motion while nobody sees it. */
function resting(box: HTMLElement, found: Viewer): IntersectionObserver {
  let moved = found.store.state.playing;
  found.store.set({ playing: false });
  const watch = new IntersectionObserver((entries) => {
    const seen = entries[entries.length - 1]!.isIntersecting;
    const { playing } = found.store.state;
    if (!seen) moved = playing;
    if (seen ? moved && !playing : playing) found.store.set({ playing: seen });
  });
  watch.observe(box);
  return watch;
}
