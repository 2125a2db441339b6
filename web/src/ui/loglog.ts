/** Plots with two logarithmic axes, drawn as SVG: what a precision costs. */
import { h, s } from "../dom";

export interface Mark {
  readonly x: number;
  readonly y: number;
  /** What is told of it under the mouse. */
  readonly text: string;
}

export interface LogCurve {
  readonly name: string;
  readonly marks: readonly Mark[];
}

export interface LogPlot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly curves: readonly LogCurve[];
  /** A line across at this value, and what it is called. */
  readonly bound: { readonly at: number; readonly name: string } | null;
}

const WIDTH = 460;
const HEIGHT = 300;
const LEFT = 56;
const RIGHT = 14;
const TOP = 26;
const BOTTOM = 44;
/** How many times the bound the upper edge is at most: what blew up is not on the picture. */
const FAR = 1e4;

export function loglog(plot: LogPlot): HTMLElement {
  const known = plot.curves.map((curve) => ({ ...curve, marks: curve.marks.filter((mark) => mark.x > 0 && mark.y > 0) }));
  const most = plot.bound ? FAR * plot.bound.at : Infinity;
  const inside = known.flatMap((curve) => curve.marks).filter((mark) => mark.y <= most);
  const across = decades(inside.map((mark) => mark.x));
  const upright = decades([...inside.map((mark) => mark.y), ...(plot.bound ? [plot.bound.at] : [])]);
  const x = (value: number) => LEFT + ((Math.log10(value) - across.low) / (across.high - across.low)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - ((Math.log10(value) - upright.low) / (upright.high - upright.low)) * (HEIGHT - TOP - BOTTOM);
  const grid = s("g", { class: "grid" });
  for (const power of across.ticks) grid.append(s("line", { x1: x(10 ** power), x2: x(10 ** power), y1: TOP, y2: HEIGHT - BOTTOM }), s("text", { x: x(10 ** power), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, powerOfTen(power)));
  for (const power of upright.ticks) grid.append(s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(10 ** power), y2: y(10 ** power) }), s("text", { x: LEFT - 6, y: y(10 ** power) + 4, "text-anchor": "end" }, powerOfTen(power)));
  grid.append(s("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle", class: "axis" }, plot.x), s("text", { x: 4, y: 14, class: "axis" }, plot.y));
  const bound = plot.bound
    ? s("g", { class: "bound" }, s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(plot.bound.at), y2: y(plot.bound.at) }), s("text", { x: WIDTH - RIGHT - 4, y: y(plot.bound.at) - 4, "text-anchor": "end" }, plot.bound.name))
    : null;
  const drawn = known.map((curve, k) => {
    const marks = curve.marks.filter((mark) => mark.y <= most);
    const line = marks.map((mark, i) => `${i === 0 ? "M" : "L"}${x(mark.x).toFixed(1)} ${y(mark.y).toFixed(1)}`).join("");
    return s("g", { class: `c${k % 8}` }, s("path", { d: line, class: "curve" }), ...marks.map((mark) => s("path", { d: shape(k, x(mark.x), y(mark.y)), class: "mark" }, s("title", {}, `${curve.name}: ${mark.text}`))));
  });
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot still", role: "img", "aria-label": plot.title }, grid, ...drawn, bound);
  return h("figure", { class: "plot-box" }, svg);
}

/** The sign of a curve as it stands in a legend. */
export function sign(k: number): SVGSVGElement {
  return s("svg", { viewBox: "0 0 24 12", class: `sign c${k % 8}`, "aria-hidden": "true" }, s("path", { d: "M1 6L23 6", class: "curve" }), s("path", { d: shape(k, 12, 6), class: "mark" }));
}

/** Curves differ in their marks, too: colours alone do not reach everybody. */
function shape(k: number, x: number, y: number): string {
  const r = 3.6;
  const corners: (readonly [number, number])[][] = [
    [],
    [[-r, -r], [r, -r], [r, r], [-r, r]],
    [[0, -1.4 * r], [1.4 * r, 0], [0, 1.4 * r], [-1.4 * r, 0]],
    [[0, -1.3 * r], [1.2 * r, r], [-1.2 * r, r]],
    [[0, 1.3 * r], [1.2 * r, -r], [-1.2 * r, -r]],
  ];
  const found = corners[k % corners.length]!;
  if (found.length === 0) return `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  return found.map(([dx, dy], i) => `${i === 0 ? "M" : "L"}${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`).join("") + "Z";
}

/** The range of an axis in powers of ten, with a little room, and the powers that are written on it. */
function decades(values: readonly number[]): { low: number; high: number; ticks: number[] } {
  const logs = values.map(Math.log10);
  const [least, largest] = logs.length > 0 ? [Math.min(...logs), Math.max(...logs)] : [0, 1];
  const room = Math.max(0.06 * (largest - least), 0.08);
  let [low, high] = [least - room, largest + room];
  // an axis says nothing without two numbers on it
  if (Math.floor(high) - Math.ceil(low) < 1) [low, high] = [Math.floor(low), Math.ceil(high)];
  const step = Math.max(1, Math.ceil((high - low) / 7));
  const ticks: number[] = [];
  for (let power = Math.ceil(low / step) * step; power <= high; power += step) ticks.push(power);
  return { low, high, ticks };
}

function powerOfTen(power: number): string {
  if (power === 0) return "1";
  if (power === 1) return "10";
  return `10${[...String(power)].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])).join("")}`;
}
