/** A cam by points: a curve that is fixed in a link, and on which a point of another link stays. */
import { s } from "../../../dom";
import { quoted } from "../patch";
import { ahead, heading, nameOn, pair, reference } from "../references";
import { type Device, type Sketch, pointOf } from "../sketch";
import { type Kind, textOf } from "./kind";
import { type Pair, footOf, linkOf, round3, turned } from "./places";

/** Points of a cam as it is drawn first, and how deep its base circle is below its highest point. */
const CORNERS = 12;
const LIFT = 0.2;

/** Pairs of numbers in a text, such as "0.1 0, 0 0.12"; null if there are none, or too few. */
export function pairs(text: string): readonly Pair[] | null {
  const found = text.split(/[,;\n]/).map((part) => part.trim().split(/\s+/).map(Number));
  return found.length >= 4 && found.every((one) => one.length === 2 && one.every(Number.isFinite)) ? (found as unknown as readonly Pair[]) : null;
}

const rotated = ([x, y]: Pair, angle: number): Pair => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];

/** The points of a cam in the axes of the description. */
const profile = (sketch: Sketch, device: Device): readonly Pair[] => {
  const turn = ahead(sketch, linkOf(sketch, device.links[0]!));
  return (pairs(textOf(device, "points")) ?? []).map((place) => (turn === 0 ? place : rotated(place, turn)));
};

const list = (places: readonly Pair[], open: string, close: string): string => `[${places.map((place) => pair(...place).replace("[", open).replace("]", close)).join(", ")}]`;

/** The outline as it stands: a closed spline through the points, by Catmull and Rom; close to the cubic one that is computed. */
function outline(seen: { readonly sketch: Sketch; readonly shown: Sketch }, device: Device): readonly Pair[] {
  const corners = pairs(textOf(device, "points")) ?? [];
  const link = linkOf(seen.sketch, device.links[0]!);
  const centre = pointOf(seen.shown, device.points[1]!);
  const turn = heading(seen.sketch, link) + turned(seen, link.name);
  const n = corners.length;
  const at = (k: number) => corners[((k % n) + n) % n]!;
  return corners.flatMap((_, k) => [0, 0.25, 0.5, 0.75].map((t): Pair => {
    const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    const mixed = [0, 1].map((i) => 0.5 * (2 * b[i]! + (c[i]! - a[i]!) * t + (2 * a[i]! - 5 * b[i]! + 4 * c[i]! - d[i]!) * t * t + (3 * b[i]! - a[i]! - 3 * c[i]! + d[i]!) * t ** 3)) as unknown as Pair;
    const [x, y] = rotated(mixed, turn);
    return [centre.x + x, centre.y + y];
  }));
}

export const cam: Kind = {
  title: "Cams",
  name: "Cam",
  key: "c",
  icon: "M10 17a5.5 5.5 0 0 1-5.3-7C5.6 6.6 8 2.5 10.5 2.5S15 7 15.4 10A5.5 5.5 0 0 1 10 17M8.8 11.5a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0",
  help: "Click on a link that is pinned to the ground, the cam, and on a point of another link, which stays on its outline. The outline is edited by its points.",
  takes: ["link", "point"],
  fields: [{ key: "points", label: "points x y in m, anticlockwise around the pin", unit: "list" }],
  begin(sketch, [link], [point]) {
    const foot = footOf(sketch, link!);
    if (foot === null) return `A cam turns about a pin of the ground, which ${link} does not have.`;
    if (linkOf(sketch, link!).points.includes(point!)) return `${point} belongs to ${link} itself.`;
    const at = pointOf(sketch, point!);
    const far = Math.hypot(at.x - foot.x, at.y - foot.y);
    if (far < 1e-6) return `${point} is at the pin of the cam.`;
    const angle = Math.atan2(at.y - foot.y, at.x - foot.x) - heading(sketch, linkOf(sketch, link!));
    const places = Array.from({ length: CORNERS }, (_, k) => {
      const turn = (2 * Math.PI * k) / CORNERS;
      const radius = far * (1 - LIFT * 0.5 * (1 - Math.cos(turn)));
      return [radius * Math.cos(angle + turn), radius * Math.sin(angle + turn)].map((x, i) => (k === 0 ? x : i < 2 ? round3(x) : x).toPrecision(9)).map(Number).join(" ");
    });
    return { links: [link!], points: [point!, foot.name], values: { points: places.join(", ") } };
  },
  tables(sketch, device) {
    const link = linkOf(sketch, device.links[0]!);
    return [["couplings", device.name, new Map([["type", quoted("curve")], ["point", quoted(reference(sketch, device.points[0]!)!)], ["origin", quoted(nameOn(link, device.points[1]!))], ["points", list(profile(sketch, device), "[", "]")]])]];
  },
  script(sketch, device, point) {
    const link = linkOf(sketch, device.links[0]!);
    const [body, label] = [JSON.stringify(link.name), nameOn(link, device.points[1]!).slice(link.name.length + 1)];
    return [`m.pin_on_curve(body[${body}].curve(points=${list(profile(sketch, device), "(", ")")}, origin=m.points_of(${body})[${JSON.stringify(label)}]), ${point(device.points[0]!)}, name=${JSON.stringify(device.name)})`];
  },
  drawn(seen, device) {
    const corners = outline(seen, device).map((place) => seen.at(...place));
    return [s("polygon", { class: "cam", points: corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ") })];
  },
  handles: (sketch, device) => outline({ sketch, shown: sketch }, device),
  equations: () => null,
  follows: () => false,
  runs: () => false,
};
