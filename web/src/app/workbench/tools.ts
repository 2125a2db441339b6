/** What a click, or a drag from one end to another, does with each tool: a new state from the one before. */
import type { Bench, End, Tool } from "./bench";
import { type DeviceType, KINDS, TYPES, isType, withDevice } from "./devices/kinds";
import { linkAt } from "./hit";
import { type Sketch, joined, linksAt, pointOf, withChanged, withCorner, withGround, withLink, withMotor, withPoint, withPart, withSlider, withSlot, withSpring, without, rounded, type Point } from "./sketch";

export const TOOLS: readonly { readonly tool: Tool; readonly name: string; readonly key: string; readonly help: string }[] = [
  { tool: "move", name: "Move", key: "h", help: "Drag a point or a link: the linkage moves as its joints allow, and no length changes. Drag the paper to look elsewhere." },
  { tool: "select", name: "Edit", key: "v", help: "Click on a part to select it. Drag a point to change the lengths of its links; drag the paper to look elsewhere." },
  { tool: "bar", name: "Bar", key: "b", help: "Click on two places, or drag from one to the other. Bars that share a point are pinned together there." },
  { tool: "plate", name: "Plate", key: "p", help: "Click on three or more places, and on the last one again to finish." },
  { tool: "pin", name: "Pin", key: "n", help: "Click on a bar or plate to give it another point, where others can be pinned." },
  { tool: "ground", name: "Ground", key: "g", help: "Click on a point to pin it to the ground, or to free it." },
  { tool: "slider", name: "Slider", key: "s", help: "Click on a point to keep it on a horizontal line of the ground; drag from it for another direction. A second click frees it." },
  { tool: "slot", name: "Slot", key: "o", help: "Click on a point, then on the bar or plate along whose first two points it is to slide. The point is put on that line." },
  { tool: "spring", name: "Spring", key: "k", help: "Click on two points; a click elsewhere attaches that end to the ground." },
  { tool: "damper", name: "Damper", key: "d", help: "Click on two points; a click elsewhere attaches that end to the ground." },
  { tool: "force", name: "Force", key: "f", help: "Click on a point and on a place towards which it is pushed, or drag: 100 N for each metre." },
  { tool: "torque", name: "Torque", key: "q", help: "Click on a link to turn it by a torque; a second click removes it." },
  { tool: "motor", name: "Motor", key: "m", help: "Click on a link that is pinned to the ground to drive it at a constant speed; a second click removes the motor." },
  ...TYPES.map((tool) => ({ tool, name: KINDS[tool].name, key: KINDS[tool].key, help: KINDS[tool].help })),
  { tool: "trace", name: "Trace", key: "t", help: "Click on a point, or anywhere on a link, to see its path when it runs." },
  { tool: "path", name: "Path", key: "u", help: "Draw the path that a point is to follow, back to its beginning if it is closed: a four-bar is found whose coupler point follows it." },
];

/** N for each metre that an arrow is drawn. */
const PUSH = 100;
const STIFFNESS = 100;
const DAMPING = 10;

/** A click with the current tool; `reach` is how far from a link still is on it, m. */
export function clicked(bench: Bench, end: End, reach: number): void {
  const { sketch } = bench;
  const { tool, pending } = bench.state;
  if (isType(tool)) return placed(bench, tool, end, reach);
  switch (tool) {
    case "bar":
    case "spring":
    case "damper":
    case "force":
      if (tool === "force" && pending.length === 0 && end.point === null) return bench.set({ remark: "A force acts at a point: click on one." });
      if (pending.length === 0) return bench.set({ pending: [end], remark: "" });
      return drawn(bench, pending[0]!, end);
    case "plate": {
      const again = pending.some((place) => same(place, end));
      if (!again) return bench.set({ pending: [...pending, end], remark: "" });
      return finished(bench);
    }
    case "pin": {
      const link = linkAt(sketch, end.x, end.y, reach);
      if (end.point !== null) return bench.set({ remark: `There is a point already: ${end.point}.` });
      if (link === null) return bench.set({ remark: "There is no bar or plate here. Click on one to give it another point." });
      return bench.commit(cornered(sketch, link, end)[0]);
    }
    case "ground": {
      const [found, point] = ended(sketch, end);
      return bench.commit(withGround(found, point, end.point === null || !pointOf(sketch, point).ground));
    }
    case "slider": {
      if (end.point !== null && sketch.sliders.some((slider) => slider.point === end.point)) return bench.commit({ ...sketch, sliders: sketch.sliders.filter((slider) => slider.point !== end.point) });
      const [found, point] = ended(sketch, end);
      return bench.commit(withSlider(found, point, 0));
    }
    case "slot": return slotted(bench, end, reach);
    case "torque": {
      const link = end.point !== null ? linksAt(sketch, end.point)[0]?.name : linkAt(sketch, end.x, end.y, reach);
      if (!link) return bench.set({ remark: "A torque turns a link: click on one." });
      const known = sketch.torques.find((found) => found.link === link);
      return bench.commit(known ? without(sketch, { kind: "torque", name: known.name }) : withPart(sketch, "torque", { link, torque: 1 }));
    }
    case "motor": return driven(bench, end, reach);
    case "trace": {
      const link = linkAt(sketch, end.x, end.y, reach);
      if (end.point === null && link === null) return bench.set({ remark: "Click on a point or a link: its path is shown when it runs." });
      const [found, point] = end.point === null ? cornered(sketch, link!, end) : [sketch, end.point];
      return bench.commit(withChanged(found, { kind: "point", name: point }, (one: Point) => ({ ...one, traced: !one.traced })));
    }
    case "move":
    case "path":
    case "select": return;
  }
}

/** From one end to the other with the current tool. */
export function drawn(bench: Bench, from: End, to: End): void {
  const { tool } = bench.state;
  if (same(from, to)) return bench.set({ pending: [], remark: "Both ends are at the same place." });
  if (tool === "force") return bench.commit(from.point === null ? bench.sketch : withPart(bench.sketch, "force", { point: from.point, x: rounded(PUSH * (to.x - from.x)), y: rounded(PUSH * (to.y - from.y)) }));
  if (tool === "slider") {
    const [found, point] = ended(bench.sketch, from);
    const angle = Math.round((Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI / 15) * 15;
    return bench.commit(withSlider(found, point, ((angle % 180) + 180) % 180));
  }
  if (isType(tool)) {
    const [first, a] = ended(bench.sketch, from, true);
    const [second, b] = ended(first, to, true);
    return committed(bench, withDevice(second, tool, [], [a, b]));
  }
  const loose = tool === "spring" || tool === "damper";
  const [first, a] = ended(bench.sketch, from, loose);
  const [second, b] = ended(first, to, loose);
  if (tool === "spring") return bench.commit(withSpring(second, a, b, STIFFNESS, 0));
  if (tool === "damper") return bench.commit(withSpring(second, a, b, 0, DAMPING));
  bench.commit(withLink(second, [a, b]));
}

/** Makes the plate that is being drawn. */
export function finished(bench: Bench): void {
  const { pending, tool } = bench.state;
  if (tool !== "plate") return;
  if (pending.length < 3) return bench.set({ pending: [], remark: "A plate has three points or more; for two there are bars." });
  let { sketch } = bench;
  const corners: string[] = [];
  for (const place of pending) {
    const [next, name] = ended(sketch, place);
    sketch = next;
    corners.push(name);
  }
  bench.commit(withLink(sketch, corners));
}

/** Ends the drag of points: a point that is dropped on another is pinned to it. */
export function dropped(bench: Bench, point: string | null, onto: string | null): void {
  const { draft } = bench.state;
  if (draft === null) return;
  const sketch = point !== null && onto !== null ? joined(draft, onto, point) : draft;
  if (point !== null && onto !== null && sketch === draft) return bench.set({ draft: null, remark: `${point} and ${onto} belong to the same link; they cannot be pinned together.` });
  bench.commit(sketch);
}

/** The point at an end, which is made if there is none. */
function ended(sketch: Sketch, end: End, ground = false): [Sketch, string] {
  return end.point === null ? withPoint(sketch, end.x, end.y, { ground }) : [sketch, end.point];
}

/** A new point of a link; that of a bar is on its line. */
function cornered(sketch: Sketch, link: string, end: End): [Sketch, string] {
  const corners = sketch.links.find((candidate) => candidate.name === link)!.points.map((name) => pointOf(sketch, name));
  let { x, y } = end;
  if (corners.length === 2) {
    const [a, b] = [corners[0]!, corners[1]!];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const part = Math.round((((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)) * 20) / 20;
    [x, y] = [a.x + part * dx, a.y + part * dy];
  }
  const [found, point] = withPoint(sketch, x, y);
  return [withCorner(found, link, point), point];
}

/** The first click names the point, the second the link in which it slides. */
function slotted(bench: Bench, end: End, reach: number): void {
  const { sketch } = bench;
  const [first] = bench.state.pending;
  if (first === undefined) return end.point === null || linksAt(sketch, end.point).length === 0 ? bench.set({ remark: "Click on a point of a link first, and then on the link along which it slides." }) : bench.set({ pending: [end], remark: "" });
  const point = first.point!;
  const own = linksAt(sketch, point);
  const guide = sketch.links.find((link) => link.name === linkAt({ ...sketch, links: sketch.links.filter((link) => !own.includes(link)) }, end.x, end.y, reach));
  if (guide === undefined) return bench.set({ pending: [], remark: `There is no other link here along which ${point} could slide.` });
  if (pointOf(sketch, point).ground) return bench.set({ pending: [], remark: `${point} is fixed to the ground, and cannot be put on the line of ${guide.name}.` });
  bench.commit(withSlot(sketch, guide.name, own[0]!.name, point));
}

/** Takes what a device is between, click by click; it is made at the last. */
function placed(bench: Bench, type: DeviceType, end: End, reach: number): void {
  const { takes } = KINDS[type];
  const { sketch } = bench;
  const { pending } = bench.state;
  const ends = [...pending, end];
  const wanted = takes[pending.length]!;
  const link = linkAt(sketch, end.x, end.y, reach);
  if (wanted === "point" && end.point === null) return bench.set({ remark: "Click on a point." });
  if (wanted === "either" && end.point === null && link === null) return bench.set({ remark: "Click on a point or a link." });
  if (wanted === "link" && link === null && end.point === null) return bench.set({ remark: "Click on a link." });
  if (ends.length < takes.length) return bench.set({ pending: ends, remark: "" });
  let found = sketch;
  const [links, points]: [string[], string[]] = [[], []];
  ends.forEach((one, k) => {
    const onLink = linkAt(sketch, one.x, one.y, reach) ?? (one.point === null ? null : linksAt(sketch, one.point)[0]?.name ?? null);
    const takesLink = takes[k] === "link" || (takes[k] === "either" && one.point === null);
    if (takesLink && onLink !== null) return void links.push(onLink);
    const [next, point] = ended(found, one, true);
    found = next;
    points.push(point);
  });
  // a second click on a joint takes its friction away
  const known = takes.length === 1 ? sketch.devices.find((device) => device.type === type && device.links[0] === links[0] && device.points[0] === points[0]) : undefined;
  committed(bench, known ? without(sketch, { kind: "device", name: known.name }) : withDevice(found, type, links, points));
}

function committed(bench: Bench, found: Sketch | string): void {
  if (typeof found === "string") return bench.set({ pending: [], remark: found });
  const { devices } = found;
  const made = devices.length > bench.sketch.devices.length ? devices[devices.length - 1]! : null;
  bench.commit(found, made === null ? {} : { selected: { kind: "device", name: made.name } });
}

function driven(bench: Bench, end: End, reach: number): void {
  const { sketch } = bench;
  const link = end.point !== null ? linksAt(sketch, end.point)[0]?.name : linkAt(sketch, end.x, end.y, reach);
  const grounded = link !== null && link !== undefined && sketch.links.find((found) => found.name === link)!.points.some((name) => pointOf(sketch, name).ground);
  if (!grounded) return bench.set({ remark: "A motor turns a link against the ground: click on a link that is pinned to it." });
  bench.commit(withMotor(sketch, link));
}

const same = (one: End, other: End) => (one.point !== null && one.point === other.point) || (one.x === other.x && one.y === other.y);
