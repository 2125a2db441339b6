/** Plots over time, drawn as SVG. A cursor follows the time of the picture and moves it when it is dragged. */
import { h, s } from "../dom";
import { told } from "../numbers";

export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** Values that differ by this are the same, as those of angles that are wrapped: the line is not drawn across. */
  readonly period?: number;
}

/** Sizes below this are round-off in any unit, and drawn as zero. */
const ZERO = 1e-13;

/** How a plot is drawn, where that is not by default. */
export interface Look {
  /** A logarithmic axis of values. */
  readonly logarithmic?: boolean;
  /** A line across at this value, and its name. */
  readonly bound?: { readonly at: number; readonly name: string } | null;
  /** A time that is marked, and its name. */
  readonly mark?: { readonly time: number; readonly name: string } | null;
  /** What the curves are drawn over, at the same times; time, if left out. */
  readonly against?: Curve | null;
}

const WIDTH = 420;
const HEIGHT = 178;
const LEFT = 62;
const RIGHT = 10;
const TOP = 18;
const BOTTOM = 26;

export class Plot {
  readonly element: HTMLElement;
  private readonly svg: SVGSVGElement;
  private readonly cursor: SVGGElement;
  private readonly legend = h("ul", { class: "legend" });
  private curves: readonly Curve[] = [];
  private range: [number, number] = [0, 1];
  private against: Curve | null = null;
  private wide: readonly [number, number] = [0, 1];
  private time = 0;

  /**
   * @param title what is shown, for screen readers
   * @param seek  is told the time to which the cursor is dragged
   */
  constructor(
    title: string,
    private readonly seek: (time: number) => void,
  ) {
    this.cursor = s("g", { class: "cursor" }, s("line", { y1: TOP, y2: HEIGHT - BOTTOM }), s("rect", { x: -7, y: TOP, width: 14, height: HEIGHT - TOP - BOTTOM, class: "grip" }));
    this.svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", tabindex: "0", role: "slider", "aria-label": `Time, in the plot of ${title}` });
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.drag(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (this.svg.hasPointerCapture(event.pointerId)) this.drag(event);
    });
    this.element = h("figure", { class: "plot-box" }, this.svg, this.legend);
  }

  /** Draws these curves over a range of time. */
  show(curves: readonly Curve[], begin: number, end: number, look: Look = {}): void {
    this.curves = curves;
    this.range = [begin, end > begin ? end : begin + 1];
    const scale = look.logarithmic ? Math.log10 : zeroed;
    const [low, high] = bounds(curves.map((curve) => ({ values: Float64Array.from(curve.values, scale) })), look.bound ? [scale(look.bound.at)] : []);
    const against = (this.against = look.against ?? null);
    const [left, right] = (this.wide = against === null ? this.range : bounds([against], []));
    const x = (value: number) => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - RIGHT);
    const y = (value: number) => HEIGHT - BOTTOM - ((scale(value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    const grid = s("g", { class: "grid" });
    const values = look.logarithmic ? ticks(low, high, 4).filter(Number.isInteger).map((power) => 10 ** power) : ticks(low, high, 4);
    for (const value of values) {
      grid.append(s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }), s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, told(value)));
    }
    for (const time of ticks(left, right, 5).filter((time) => x(time) < WIDTH - RIGHT - 24)) {
      grid.append(s("line", { x1: x(time), x2: x(time), y1: TOP, y2: HEIGHT - BOTTOM }), s("text", { x: x(time), y: HEIGHT - 9, "text-anchor": "middle" }, told(time)));
    }
    grid.append(s("text", { x: WIDTH - RIGHT, y: HEIGHT - 9, "text-anchor": "end", class: "unit" }, against?.unit ?? "s"));
    grid.append(s("text", { x: 4, y: 11, class: "unit" }, curves[0]?.unit ?? ""));
    const lines = curves.map((curve, k) => s("path", { d: path(curve, against, x, y), class: `curve c${k % 8}` }));
    const { bound, mark } = look;
    const over = s("g");
    if (bound) over.append(s("g", { class: "bound" }, s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(bound.at), y2: y(bound.at) }), s("text", { x: WIDTH - RIGHT - 4, y: y(bound.at) - 4, "text-anchor": "end" }, bound.name)));
    if (mark && mark.time >= this.range[0] && mark.time <= this.range[1]) {
      const left = x(mark.time) > WIDTH / 2;
      over.append(s("g", { class: "bound departed" }, s("line", { x1: x(mark.time), x2: x(mark.time), y1: TOP - 4, y2: HEIGHT - BOTTOM }), s("text", { x: x(mark.time) + (left ? -4 : 4), y: TOP - 6, "text-anchor": left ? "end" : "start" }, mark.name)));
    }
    this.svg.replaceChildren(grid, ...lines, over, this.cursor);
    this.legend.replaceChildren(...curves.map((curve, k) => h("li", { class: `c${k % 8}` }, h("span", { class: "name" }, curve.name), " ", h("output", { "aria-live": "off" }))));
    this.svg.setAttribute("aria-valuemin", String(this.range[0]));
    this.svg.setAttribute("aria-valuemax", String(this.range[1]));
  }

  /** Puts the cursor at a time, and the values there into the legend. */
  at(time: number): void {
    this.time = time;
    const here = this.against === null ? time : valueAt(this.against, time);
    const part = Math.min(1, Math.max(0, (here - this.wide[0]) / (this.wide[1] - this.wide[0])));
    this.cursor.setAttribute("transform", `translate(${LEFT + part * (WIDTH - LEFT - RIGHT)} 0)`);
    const texts = this.curves.map((curve) => `${told(zeroed(valueAt(curve, time)))} ${curve.unit}`);
    this.legend.querySelectorAll("output").forEach((output, k) => (output.textContent = texts[k] ?? ""));
    this.svg.setAttribute("aria-valuenow", String(time));
    this.svg.setAttribute("aria-valuetext", `${told(time)} seconds`);
  }

  private drag(event: PointerEvent): void {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const part = Math.min(1, Math.max(0, (x - LEFT) / (WIDTH - LEFT - RIGHT)));
    const here = this.wide[0] + part * (this.wide[1] - this.wide[0]);
    this.seek(this.against === null ? here : nearest(this.against, here, this.time, this.wide[1] - this.wide[0]));
    event.preventDefault();
  }
}

const zeroed = (x: number): number => (Math.abs(x) < ZERO ? 0 : x);

/** The time at which a curve has a value; of several that nearest to a time. */
function nearest({ times, values }: Curve, value: number, time: number, range: number): number {
  const long = times[times.length - 1]! - times[0]! || 1;
  let [best, found] = [Infinity, time];
  for (let k = 0; k < times.length; k++) {
    const away = Math.abs(values[k]! - value) / range + (0.05 * Math.abs(times[k]! - time)) / long;
    if (away < best) [best, found] = [away, times[k]!];
  }
  return found;
}

function path(curve: Curve, against: Curve | null, x: (value: number) => number, y: (value: number) => number): string {
  const parts: string[] = [];
  const far = (one: Curve | null, k: number) => one?.period !== undefined && k > 0 && Math.abs(one.values[k]! - one.values[k - 1]!) > one.period / 2;
  let pen = false;
  for (let k = 0; k < curve.times.length; k++) {
    const value = curve.values[k]!;
    if (!Number.isFinite(value)) {
      pen = false;
      continue;
    }
    if (far(curve, k) || far(against, k)) pen = false;
    parts.push(`${pen ? "L" : "M"}${x(against === null ? curve.times[k]! : against.values[k]!).toFixed(2)} ${y(value).toFixed(2)}`);
    pen = true;
  }
  return parts.join("");
}

function bounds(curves: readonly { readonly values: ArrayLike<number> }[], others: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of [...curves, { values: others }])
    for (let k = 0; k < values.length; k++) {
      const value = values[k]!;
      if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  if (low > high) return [0, 1];
  if (Math.max(Math.abs(low), Math.abs(high)) < ZERO) return [-1, 1];
  // what varies by round-off alone is shown as constant
  const room = high - low > 1e-6 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : Math.max(Math.abs(high), 1e-12) * 0.5;
  return [low - room, high + room];
}

/** About so many round numbers between two. */
function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw)!;
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

function valueAt(curve: Curve, time: number): number {
  const { times, values } = curve;
  const last = times.length - 1;
  if (last < 0) return NaN;
  if (time <= times[0]!) return values[0]!;
  if (time >= times[last]!) return values[last]!;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  if (curve.period !== undefined && Math.abs(values[high]! - values[low]!) > curve.period / 2) return values[low]!;
  const part = (time - times[low]!) / (times[high]! - times[low]!);
  return values[low]! + part * (values[high]! - values[low]!);
}
