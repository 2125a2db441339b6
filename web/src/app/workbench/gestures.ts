/** Mouse, fingers and keys on the drawing. */
import type { Bench, End, Tool } from "./bench";
import { kindOf } from "./devices/kinds";
import { type Size, gridStep, panned, toPlane, zoomed } from "./camera";
import { partAt, snapped } from "./hit";
import { Drag } from "./kinematics/drag";
import { Linkage } from "./kinematics/linkage";
import { type Part, mirrored, moved, pointOf, rounded, withCopy, within, without } from "./sketch";
import { TOOLS, clicked, drawn, dropped, finished } from "./tools";
import { followed } from "./wish";

/** Pixels within which a point is meant. */
const REACH = 13;
const FINGER = 24;

/** Pixels that a click may move. */
const STILL = 6;

/** Milliseconds of a frame that a motion by hand may take. */
const FRAME = 12;

/** Tools that can be dragged from one end to the other. */
const DRAGGED: readonly Tool[] = ["bar", "spring", "damper", "slider", "force", "cylinder", "rope"];

/** Pixels between places of a path that is drawn, at least. */
const STROKE = 4;

/** Tools for which places are not those of the grid: they are on links. */
const FREE: readonly Tool[] = ["pin", "motor", "trace", "slot", "torque", "gear", "belt", "rack", "cam", "stop", "friction", "path"];

interface Press {
  readonly from: End;
  readonly px: number;
  readonly py: number;
  /** Points that are dragged; none if the paper is. */
  readonly held: readonly string[];
  readonly pans: boolean;
  /** Whether a box is drawn in which points are selected. */
  readonly boxes: boolean;
  moved: boolean;
}

/** Makes the drawing answer. `size` tells how large it is. */
export function gestures(canvas: SVGSVGElement, bench: Bench, size: () => Size): void {
  const fingers = new Map<number, readonly [number, number]>();
  let press: Press | null = null;
  let drag: Drag | null = null;
  let chasing = 0;

  const pixel = (event: MouseEvent): readonly [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const reach = (event: PointerEvent) => (event.pointerType === "touch" ? FINGER : REACH) / bench.state.camera.scale;
  const aimed = (event: PointerEvent, except: readonly string[] = []): End => {
    const [x, y] = toPlane(bench.state.camera, size(), ...pixel(event));
    const step = event.altKey || FREE.includes(bench.state.tool) ? 0 : gridStep(bench.state.camera);
    const [from] = bench.state.pending;
    const end = snapped(bench.sketch, x, y, reach(event), step, except);
    return event.shiftKey && from !== undefined && end.point === null ? turned(from, x, y) : end;
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pixel(event));
    if (fingers.size > 1) {
      press = drag = null; // two fingers move and stretch the paper
      return bench.set({ draft: null, pose: null, stop: null, pointer: null, ...(bench.state.tool === "path" ? { wish: [] } : {}) });
    }
    const [px, py] = pixel(event);
    const from = aimed(event);
    const { tool } = bench.state;
    const grasps = tool === "select" || tool === "move";
    const place = toPlane(bench.state.camera, size(), px, py);
    const part = grasps ? partAt(bench.shown, ...place, reach(event)) : null;
    drag = tool === "move" && event.button === 0 ? grasp(bench, part, ...place) : null;
    const together = tool === "select" && part?.kind === "point" && bench.state.many.includes(part.name) && !event.shiftKey;
    const boxes = tool === "select" && event.shiftKey && event.button === 0;
    if (tool === "path" && event.button === 0) bench.set({ wish: [place], remark: "" });
    const held = tool === "move" || boxes ? [] : together ? bench.state.many : part?.kind === "point" ? [part.name] : part?.kind === "link" ? bench.sketch.links.find((link) => link.name === part.name)!.points : [];
    const pans = event.button === 1 || (grasps && held.length === 0 && drag === null && !boxes);
    if (boxes && part !== null) gather(bench, part);
    else if (grasps && event.button === 0 && !together) bench.set({ selected: part, ...(boxes ? {} : { many: [] }), ...(tool === "select" ? { remark: "" } : {}) });
    press = { from, px, py, held, pans, boxes: boxes && part === null, moved: false };
    event.preventDefault();
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    const now = pixel(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, now);
    if (fingers.size === 2 && before) return pinch(before, now, [...fingers].find(([id]) => id !== event.pointerId)![1]);
    if (press === null) return bench.set({ pointer: aimed(event) });
    if (bench.state.tool === "path" && !press.pans) return trail(event);
    press.moved ||= Math.hypot(now[0] - press.px, now[1] - press.py) > STILL;
    if (!press.moved) return;
    if (press.pans) return bench.set({ camera: panned(bench.state.camera, now[0] - before![0], now[1] - before![1]) });
    if (press.boxes) return bench.set({ box: [...toPlane(bench.state.camera, size(), press.px, press.py), ...toPlane(bench.state.camera, size(), ...now)] });
    if (drag !== null) return chase(drag, ...toPlane(bench.state.camera, size(), ...now));
    if (press.held.length > 0) return pull(event, press);
    if (bench.state.pending.length === 0 && DRAGGED.includes(bench.state.tool)) bench.set({ pending: [press.from] });
    bench.set({ pointer: aimed(event) });
  });

  canvas.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    const done = press;
    press = null;
    if (drag !== null) {
      drag = null;
      return bench.rest();
    }
    if (done?.boxes) return boxed(bench);
    if (bench.state.tool === "path" && done !== null && !done.pans && event.button === 0) return void followed(bench, size());
    if (done === null || done.pans || event.button !== 0) return;
    if (done.held.length > 0) {
      const only = done.held.length === 1 ? done.held[0]! : null;
      return dropped(bench, done.moved ? only : null, only === null ? null : aimed(event, [only]).point);
    }
    if (done.moved && DRAGGED.includes(bench.state.tool)) drawn(bench, bench.state.pending[0] ?? done.from, aimed(event));
    else clicked(bench, done.from, reach(event));
    bench.set({ pointer: event.pointerType === "mouse" ? aimed(event) : null });
  });

  canvas.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    press = drag = null;
    bench.set({ draft: null, pose: null, stop: null, box: null, ...(bench.state.tool === "path" ? { wish: [] } : {}) });
  });
  canvas.addEventListener("pointerleave", () => bench.set({ pointer: null }));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    bench.set({ camera: zoomed(bench.state.camera, size(), Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), ...pixel(event)) });
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => keyed(event, bench));
  document.addEventListener("keydown", (event) => travelled(event, bench));

  /** The linkage follows the pointer; where that takes longer than a frame, it goes on in the next. */
  function chase(held: Drag, x: number, y: number): void {
    cancelAnimationFrame(chasing);
    follow(bench, held, x, y, FRAME);
    if (held.late) chasing = requestAnimationFrame(() => void (drag === held && chase(held, x, y)));
  }

  /** The path goes on to the pointer. */
  function trail(event: PointerEvent): void {
    const { wish, camera } = bench.state;
    const place = toPlane(camera, size(), ...pixel(event));
    const last = wish[wish.length - 1];
    if (last === undefined || Math.hypot(place[0] - last[0], place[1] - last[1]) * camera.scale >= STROKE) bench.set({ wish: [...wish, place] });
  }

  /** The points that are held follow the pointer; a single one snaps to others. */
  function pull(event: PointerEvent, held: Press): void {
    const { sketch: now } = bench.page;
    const grip = pointOf(now, held.held[0]!);
    const single = held.held.length === 1;
    const [x, y] = toPlane(bench.state.camera, size(), ...pixel(event));
    const [fx, fy] = toPlane(bench.state.camera, size(), held.px, held.py);
    const step = event.altKey ? 0 : gridStep(bench.state.camera);
    const to = snapped(now, grip.x + x - fx, grip.y + y - fy, single ? reach(event) : 0, step, held.held);
    bench.set({ draft: moved(now, held.held, to.x - grip.x, to.y - grip.y) });
  }

  function pinch(before: readonly [number, number], now: readonly [number, number], other: readonly [number, number]): void {
    const distance = (a: readonly [number, number], b: readonly [number, number]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const camera = panned(bench.state.camera, (now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    bench.set({ camera: zoomed(camera, size(), distance(now, other) / Math.max(1, distance(before, other)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2) });
  }
}

/** A place in a direction that is a multiple of 15° from an end. */
function turned(from: End, x: number, y: number): End {
  const turn = (Math.round((Math.atan2(y - from.y, x - from.x) * 12) / Math.PI) * Math.PI) / 12;
  const far = (x - from.x) * Math.cos(turn) + (y - from.y) * Math.sin(turn);
  return { x: rounded(from.x + far * Math.cos(turn)), y: rounded(from.y + far * Math.sin(turn)), point: null };
}

/** Takes hold of a part in order to move the linkage; where that cannot be, it is said why. */
function grasp(bench: Bench, part: Part | null, x: number, y: number): Drag | null {
  if (part === null || (part.kind !== "point" && part.kind !== "link")) return null;
  const found = Drag.begin(new Linkage(bench.page.sketch, bench.state.pose), part.kind === "point" ? part.name : null, part.kind === "link" ? part.name : null, x, y);
  bench.set({ remark: typeof found === "string" ? found : "" });
  return typeof found === "string" ? null : found;
}

function follow(bench: Bench, held: Drag, x: number, y: number, milliseconds = Infinity): void {
  const stop = held.to(x, y, milliseconds);
  bench.set({ pose: held.linkage.posed(held.q), stop });
}

/** Moves the linkage by a step at the selected part. */
function nudged(bench: Bench, part: Part, dx: number, dy: number): void {
  const corners = (part.kind === "link" ? bench.shown.links.find((link) => link.name === part.name)!.points : [part.name]).map((name) => pointOf(bench.shown, name));
  const [x, y] = [mean(corners.map((corner) => corner.x)), mean(corners.map((corner) => corner.y))];
  const held = grasp(bench, part, x, y);
  if (held === null) return;
  follow(bench, held, x + dx, y + dy);
  bench.rest();
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Selects a part beside what is selected, or no longer. */
function gather(bench: Bench, part: Part): void {
  const points = part.kind === "point" ? [part.name] : part.kind === "link" ? bench.sketch.links.find((link) => link.name === part.name)!.points : [];
  const { grasped } = bench;
  const all = points.every((name) => grasped.includes(name));
  bench.set({ selected: null, many: all ? grasped.filter((name) => !points.includes(name)) : [...new Set([...grasped, ...points])] });
}

/** Selects the points in the box. */
function boxed(bench: Bench): void {
  const { box, many } = bench.state;
  if (box === null) return;
  const [x, y, u, v] = box;
  const inside = bench.sketch.points.filter((point) => (point.x - x) * (point.x - u) <= 0 && (point.y - y) * (point.y - v) <= 0).map((point) => point.name);
  bench.set({ box: null, selected: null, many: [...new Set([...many, ...inside])] });
}

/** Deletes all that is selected. */
export function deleted(bench: Bench): void {
  const { many, selected } = bench.state;
  if (many.length > 0) bench.commit(many.reduce((found, name) => without(found, { kind: "point", name }), bench.sketch), { many: [] });
  else if (selected !== null) bench.commit(without(bench.sketch, selected));
}

/** Puts a copy of the selected points, and of all that lies between them, beside them, and selects it. */
export function copied(bench: Bench): void {
  const step = 2 * gridStep(bench.state.camera);
  const [found, names] = withCopy(bench.sketch, within(bench.sketch, new Set(bench.grasped)), step, -step);
  bench.commit(found, { tool: "select", selected: null, many: names });
}

/** Mirrors the selected points, with all that lies between them. */
export function flipped(bench: Bench): void {
  if (bench.sketch.pins !== undefined) return bench.set({ remark: "A mechanism from a description cannot be mirrored here: its shapes have axes of their own." });
  bench.commit(mirrored(bench.sketch, new Set(bench.grasped), (device) => kindOf(device).mirrored?.(device) ?? device.values));
}

/** Undo and redo, wherever one is but in a text, which has its own. */
function travelled(event: KeyboardEvent, bench: Bench): void {
  const key = event.key.toLowerCase();
  const inside = event.composedPath()[0] as HTMLElement;
  const writes = inside.isContentEditable || (inside instanceof HTMLInputElement && inside.type !== "checkbox");
  if (!(event.ctrlKey || event.metaKey) || writes || (key !== "z" && key !== "y")) return;
  if (key === "y" || event.shiftKey) bench.redo();
  else bench.undo();
  event.preventDefault();
}

/** Keys on the drawing: those of the tools, and for what is selected. */
function keyed(event: KeyboardEvent, bench: Bench): void {
  const { selected, camera } = bench.state;
  const step = gridStep(camera);
  const arrows: Record<string, readonly [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
  const arrow = arrows[event.key];
  const tool = TOOLS.find((found) => found.key === event.key.toLowerCase());
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key === "a") bench.set({ tool: "select", selected: null, many: bench.sketch.points.map((point) => point.name) });
  else if (command && event.key === "d" && bench.grasped.length > 0) copied(bench);
  else if (command || event.altKey) return;
  else if (event.key === "Escape") bench.set({ pending: [], draft: null, pose: null, stop: null, wish: [], remark: "", many: [] });
  else if (event.key === "Enter") finished(bench);
  else if (event.key === "Delete" || event.key === "Backspace") deleted(bench);
  else if (arrow && bench.state.many.length > 0 && bench.state.tool !== "move") bench.commit(moved(bench.sketch, bench.state.many, ...arrow));
  else if (arrow && selected !== null && bench.state.tool === "move") nudged(bench, selected, ...arrow);
  else if (arrow && selected?.kind === "point") bench.commit(moved(bench.sketch, [selected.name], ...arrow));
  else if (arrow && selected?.kind === "link") bench.commit(moved(bench.sketch, bench.sketch.links.find((link) => link.name === selected.name)!.points, ...arrow));
  else if (tool) bench.set({ tool: tool.tool, pending: [], remark: "" });
  else return;
  event.preventDefault();
}
