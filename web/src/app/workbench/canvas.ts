/** The drawing of a sketch: SVG as a function of the state. */
import { s } from "../../dom";
import type { Bench, State } from "./bench";
import { type Size, gridStep, toPixels } from "./camera";
import { kindOf } from "./devices/kinds";
import { pathOf } from "./kinematics/course";
import { type Link, type Part, type Sketch, type Torque, directionOf, linksAt, pointOf } from "./sketch";
import { hullOf } from "../../hull";
import { dimensions } from "./selection";

type Pair = readonly [number, number];

const shape = (corners: readonly Pair[]): string => corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

/** All that is seen, from the back to the front. */
export function drawing(bench: Bench, size: Size): readonly SVGElement[] {
  const { state, shown: sketch } = bench;
  const at = (x: number, y: number) => toPixels(state.camera, size, x, y);
  const place = (name: string): Pair => {
    const point = pointOf(sketch, name);
    return at(point.x, point.y);
  };
  const slots = sketch.slots.map((slot) => ({ slot, angle: directionOf(bench.sketch, slot, sketch) }));
  const chosen = (kind: Part["kind"], name: string) => ((state.selected?.kind === kind && state.selected.name === name) || (kind === "point" && state.many.includes(name)) ? " chosen" : "");
  return [
    grid(state, size),
    s("g", { class: "paths" }, ...paths(bench).map((path) => s("polyline", { class: "path", points: shape(path.map(([x, y]) => at(x, y))) })), s("polyline", { class: "wish", points: shape(state.wish.map(([x, y]) => at(x, y))) })),
    s("g", { class: "guides" }, ...sketch.sliders.map((slider) => guide(place(slider.point), slider.angle, chosen("slider", slider.point))), ...slots.map(({ slot, angle }) => guide(place(slot.point), angle, chosen("slot", slot.name)))),
    s("g", { class: "grounds" }, ...sketch.points.filter((point) => point.ground).map((point) => ground(place(point.name)))),
    s("g", { class: "links" }, ...sketch.links.map((link, index) => drawnLink(sketch, link, index, place, chosen("link", link.name)))),
    s("g", { class: "springs" }, ...sketch.springs.map((spring) => drawnSpring(place(spring.a), place(spring.b), spring.stiffness !== 0, spring.damping !== 0, chosen("spring", spring.name)))),
    s("g", { class: "blocks" }, ...sketch.sliders.map((slider) => block(place(slider.point), slider.angle)), ...slots.map(({ slot, angle }) => block(place(slot.point), angle))),
    s("g", { class: "devices" }, ...sketch.devices.map((device) => s("g", { class: `device ${device.type}${chosen("device", device.name)}` }, s("title", {}, device.name), ...kindOf(device).drawn({ sketch: bench.sketch, shown: sketch, at }, device)))),
    s("g", { class: "loads" }, ...sketch.forces.map((force) => push(place(force.point), [force.x, -force.y], chosen("force", force.name))), ...sketch.torques.map((torque) => twist(sketch, torque, place, chosen("torque", torque.name)))),
    s("g", { class: "motors" }, ...sketch.motors.flatMap((motor) => drives(sketch, motor.link, motor.speed, place, chosen("motor", motor.link)))),
    s("g", { class: "points" }, ...sketch.points.flatMap((point) => drawnPoint(sketch, point.name, place(point.name), point.traced, chosen("point", point.name)))),
    s("g", { class: "dimensions" }, ...dimensions(bench).map(({ x, y, text }) => s("text", { class: "dimension", x: at(x, y)[0], y: at(x, y)[1] + 4, "text-anchor": "middle" }, text))),
    ...(state.stop?.point ? [s("circle", { class: "stop", cx: place(state.stop.point)[0], cy: place(state.stop.point)[1], r: 15 })] : []),
    preview(state, at),
  ];
}

/** Paths of points: those of the run that is played or, of a linkage with one freedom, of the points that are traced or selected. */
function paths({ state, shown }: Bench): readonly (readonly Pair[])[] {
  const { course, traces, selected } = state;
  if (traces !== null) return traces;
  if (course === null || course.places.length < 2) return [];
  const wanted = shown.points.filter((point) => !point.ground && (point.traced || (selected?.kind === "point" && selected.name === point.name)));
  return wanted.map((point) => pathOf(course, point.name)).map((path) => (course.closed ? [...path, path[0]!] : path)).filter((path) => path[0] !== undefined);
}

function grid(state: Readonly<State>, size: Size): SVGElement {
  const { camera } = state;
  const step = gridStep(camera);
  const lines: SVGElement[] = [];
  const pixels = step * camera.scale;
  const [left, top] = [camera.x - size.width / 2 / camera.scale, camera.y + size.height / 2 / camera.scale];
  const kind = (k: number) => (k === 0 ? "axis" : k % 5 === 0 ? "major" : "minor");
  for (let k = Math.ceil(left / step), x = (k * step - left) * camera.scale; x < size.width; k++, x += pixels) lines.push(s("line", { class: kind(k), x1: x, x2: x, y1: 0, y2: size.height }));
  for (let k = Math.floor(top / step), y = (top - k * step) * camera.scale; y < size.height; k--, y += pixels) lines.push(s("line", { class: kind(k), x1: 0, x2: size.width, y1: y, y2: y }));
  const length = 5 * pixels;
  const told = `${Number((5 * step).toPrecision(3))} m`;
  const ruler = s("g", { class: "ruler", transform: `translate(12 ${size.height - 12})` }, s("path", { d: `M0 -5V0H${length}V-5` }), s("text", { x: length + 6, y: 1 }, told));
  return s("g", { class: "grid" }, ...lines, ruler);
}

function drawnLink(sketch: Sketch, link: Link, index: number, place: (name: string) => Pair, chosen: string): SVGElement {
  const corners = hullOf(link.points.map((name) => pointOf(sketch, name))).map((point) => place(point.name));
  const kind = `link k${index % 8}${chosen}`;
  const label = s("title", {}, link.name);
  return s("g", { class: kind }, s("polygon", { class: "halo", points: shape(corners) }), s("polygon", { class: "body", points: shape(corners) }), label);
}

function drawnPoint(sketch: Sketch, name: string, [x, y]: Pair, traced: boolean, chosen: string): SVGElement[] {
  const pinned = linksAt(sketch, name).length > 0;
  const mark = traced ? [s("circle", { class: "trace", cx: x, cy: y, r: 10 })] : [];
  return [...mark, s("circle", { class: `${pinned ? "pin" : "lonely"}${chosen}`, cx: x, cy: y, r: 5.5 }), s("text", { class: "name", x: x + 9, y: y - 9 }, name)];
}

function ground([x, y]: Pair): SVGElement {
  const hatch = [-14, -8, -2, 4, 10].map((dx) => `M${x + dx + 5} ${y + 17}l-5 6`).join("");
  return s("g", { class: "ground" }, s("path", { class: "stand", d: `M${x} ${y}l-10 17h20z` }), s("path", { d: `M${x - 15} ${y + 17}h30${hatch}` }));
}

function guide([x, y]: Pair, angle: number, chosen: string): SVGElement {
  return s("g", { class: `guide${chosen}`, transform: `translate(${x} ${y}) rotate(${-angle})` }, s("line", { x1: -70, x2: 70, y1: 0, y2: 0 }), s("path", { d: "M-70 -6v12M70 -6v12" }));
}

function block([x, y]: Pair, angle: number): SVGElement {
  return s("rect", { class: "block", x: -13, y: -8.5, width: 26, height: 17, rx: 2, transform: `translate(${x} ${y}) rotate(${-angle})` });
}

/** A zigzag, a dashpot, or both side by side. */
function drawnSpring(a: Pair, b: Pair, elastic: boolean, damped: boolean, chosen: string): SVGElement {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const to = (along: number, aside: number) => `${(a[0] + ux * along - uy * aside).toFixed(2)} ${(a[1] + uy * along + ux * aside).toFixed(2)}`;
  const [begin, end] = [Math.min(18, length * 0.2), length - Math.min(18, length * 0.2)];
  const off = elastic && damped ? 9 : 0;
  let path = "";
  if (elastic) {
    const teeth = 9;
    const corners = Array.from({ length: teeth }, (_, k) => `L${to(begin + ((end - begin) * (k + 0.5)) / teeth, -off + (k % 2 ? 7 : -7))}`).join("");
    path += `M${to(0, 0)}L${to(begin, -off)}${corners}L${to(end, -off)}L${to(length, 0)}`;
  }
  if (damped) {
    const middle = (begin + end) / 2;
    path += `M${to(0, 0)}L${to(begin, off)}L${to(middle - 8, off)}M${to(middle + 10, off - 7)}L${to(middle - 8, off - 7)}L${to(middle - 8, off + 7)}L${to(middle + 10, off + 7)}M${to(middle, off - 5)}L${to(middle, off + 5)}M${to(middle, off)}L${to(end, off)}L${to(length, 0)}`;
  }
  return s("g", { class: `spring${chosen}` }, s("path", { class: "wide", d: `M${to(0, 0)}L${to(length, 0)}` }), s("path", { d: path }));
}

/** Pixels of the arrow of a force. */
const ARROW = 56;

/** An arrow from a point. */
function push([x, y]: Pair, [fx, fy]: Pair, chosen: string): SVGElement {
  const turn = (Math.atan2(fy, fx) * 180) / Math.PI;
  return s("g", { class: `load${chosen}`, transform: `translate(${x} ${y}) rotate(${turn})` }, s("path", { d: `M8 0H${ARROW - 8}` }), s("path", { class: "head", d: `M${ARROW} 0l-11 -5v10z` }));
}

/** An open arrow around the middle of a link. */
function twist(sketch: Sketch, { link, torque }: Torque, place: (name: string) => Pair, chosen: string): SVGElement {
  const corners = sketch.links.find((found) => found.name === link)!.points.map(place);
  const [x, y] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + corner[k]!, 0) / corners.length) as [number, number];
  return s("g", { class: `load${chosen}`, transform: `translate(${x} ${y}) scale(${torque < 0 ? -1 : 1} 1)` }, s("path", { d: "M-14 8A16 16 0 1 1 14 8" }), s("path", { class: "head", transform: "scale(-1 1)", d: "M14 8l-9 1l7 8z" }));
}

/** An arrow around the pin at which the motor turns its link. */
function drives(sketch: Sketch, name: string, speed: number, place: (name: string) => Pair, chosen: string): SVGElement[] {
  const pivot = sketch.links.find((link) => link.name === name)?.points.find((point) => pointOf(sketch, point).ground);
  if (pivot === undefined) return [];
  const [x, y] = place(pivot);
  const mirror = speed < 0 ? -1 : 1; // the picture turns counterclockwise, as positive angles do
  return [s("g", { class: `motor${chosen}`, transform: `translate(${x} ${y}) scale(${mirror} 1)` }, s("path", { d: "M16.9 6.2A18 18 0 1 0 6.2 16.9" }), s("path", { class: "head", d: "M13.3 14.3L8.1 22.1L4.3 11.7Z" }))];
}

/** What is being drawn, and where a click would be. */
function preview(state: Readonly<State>, at: (x: number, y: number) => Pair): SVGElement {
  const { pending, pointer, tool } = state;
  const ends = pending.map((end) => at(end.x, end.y));
  const parts: SVGElement[] = [];
  if (state.box !== null) {
    const [[x, y], [u, v]] = [at(state.box[0], state.box[1]), at(state.box[2], state.box[3])];
    parts.push(s("rect", { class: "box", x: Math.min(x, u), y: Math.min(y, v), width: Math.abs(u - x), height: Math.abs(v - y) }));
  }
  if (pointer !== null && tool !== "select" && tool !== "move") {
    const [x, y] = at(pointer.x, pointer.y);
    if (ends.length > 0) ends.push([x, y]);
    parts.push(s("circle", { class: pointer.point === null ? "aim" : "aim snap", cx: x, cy: y, r: pointer.point === null ? 4 : 10 }));
  }
  if (ends.length > 0) parts.unshift(s("polyline", { class: "draft", points: shape(ends) }), ...ends.map(([cx, cy]) => s("circle", { class: "aim", cx, cy, r: 4 })));
  return s("g", { class: "preview" }, ...parts);
}
