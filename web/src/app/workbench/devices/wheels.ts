/** Gears and belts: two links whose turns are in a fixed ratio, against what carries their axes. */
import { s } from "../../../dom";
import { Mesh } from "../kinematics/meshes";
import type { Linkage } from "../kinematics/linkage";
import { quoted } from "../patch";
import { heading, number } from "../references";
import { type Device, type Sketch, pointOf } from "../sketch";
import type { Fields } from "../toml";
import { type Kind, type Seen, numberOf, positive } from "./kind";
import { type Pair, axesOf, distance, line, round3, turned, wheel } from "./places";

/** Factors of the two turns: z_a (θ_a − θ_c) + z_b (θ_b − θ_c) = constant. */
export const pairOf = (device: Device): Pair => {
  const [a, b] = [numberOf(device, "a"), numberOf(device, "b")];
  const same = device.type === "belt" ? device.values["crossed"] === true : device.values["internal"] !== true;
  return [a, same ? b : -b];
};

/** Whether the ratio is one of small whole numbers. */
const whole = (device: Device): boolean => Mesh.ratio(pairOf(device)) !== null;

const angle = (link: string): string => quoted(`${link}.angle`);

function meshes(linkage: Linkage, device: Device): readonly Mesh[] | null {
  const found = Mesh.of(linkage, device.name, device.links, pairOf(device));
  return found === null ? null : [found];
}

function tableOf(device: Device, field: string, flag: string): Fields {
  const [a, b, carrier] = device.links as [string, string, string | undefined];
  const values: [string, string][] = [["type", quoted(device.type)], ["a", angle(a)], ["b", angle(b)], [field, `[${number(numberOf(device, "a"))}, ${number(numberOf(device, "b"))}]`]];
  if (device.values[flag] === true) values.push([flag, "true"]);
  if (carrier !== undefined) values.push(["carrier", angle(carrier)]);
  return new Map(values);
}

function scriptOf(device: Device, field: string, flag: string): readonly string[] {
  const [a, b, carrier] = device.links.map((link) => `body[${JSON.stringify(link)}]`) as [string, string, string | undefined];
  const parts = [a, b, `${field}=(${numberOf(device, "a")}, ${numberOf(device, "b")})`, ...(device.values[flag] === true ? [`${flag}=True`] : []), ...(carrier ? [`carrier=${carrier}`] : []), `name=${JSON.stringify(device.name)}`];
  return [`m.${device.type}(${parts.join(", ")})`];
}

/** Centres and the turns of the wheels as they are shown. */
function standing(seen: Seen, device: Device) {
  const [a, b] = device.links as [string, string];
  const axes = axesOf(seen.sketch, a, b);
  if (axes === null) return null;
  const angleOf = (link: string) => heading(seen.sketch, seen.sketch.links.find((found) => found.name === link)!) + turned(seen, link);
  return { a: pointOf(seen.shown, axes.a), b: pointOf(seen.shown, axes.b), angles: [angleOf(a), angleOf(b)] as const };
}

function between(sketch: Sketch, [a, b]: readonly string[], what: string) {
  if (a === undefined || b === undefined || a === b) return `${what} connect two links.`;
  const axes = axesOf(sketch, a, b);
  if (axes === null) return `${what} need axes: pin ${a} and ${b} to the ground, or both to a third link.`;
  return { apart: distance(pointOf(sketch, axes.a), pointOf(sketch, axes.b)), links: [a, b, ...(axes.carrier === null ? [] : [axes.carrier])] };
}

/** Pitch radii of gears that are so far apart. */
function pitch(device: Device, apart: number): Pair {
  const [a, b] = [numberOf(device, "a"), numberOf(device, "b")];
  const sum = device.values["internal"] === true ? Math.abs(a - b) || a + b : a + b;
  return [(apart * a) / sum, (apart * b) / sum];
}

const pick = (sketch: Sketch, device: Device, part: (apart: number) => number): readonly Pair[] => {
  const axes = axesOf(sketch, device.links[0]!, device.links[1]!);
  if (axes === null) return [];
  const [a, b] = [pointOf(sketch, axes.a), pointOf(sketch, axes.b)];
  const apart = distance(a, b);
  const k = part(apart);
  return [[a.x + k * (b.x - a.x), a.y + k * (b.y - a.y)]];
};

export const gear: Kind = {
  title: "Gears",
  name: "Gears",
  key: "e",
  icon: "M3.2 12a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0-7.6 0M10.8 8.2a2.9 2.9 0 1 0 5.8 0a2.9 2.9 0 1 0-5.8 0M7 7v-2M7 19v-2M2 12h-1.2M13.7 4V2.6M17 8.2h1.6",
  help: "Click on two links that are pinned to the ground, or both to a third link: they turn like gears about these pins.",
  takes: ["link", "link"],
  fields: [
    { key: "a", label: "teeth of the first", unit: "count", refuses: positive("The number of teeth") },
    { key: "b", label: "teeth of the second", unit: "count", refuses: positive("The number of teeth") },
    { key: "internal", label: "internal", unit: "flag" },
  ],
  begin(sketch, links) {
    const found = between(sketch, links, "Gears");
    return typeof found === "string" ? found : { links: found.links, points: [], values: { a: 20, b: 20, internal: false } };
  },
  tables: (_sketch, device) => [["couplings", device.name, tableOf(device, "teeth", "internal")]],
  script: (_sketch, device) => scriptOf(device, "teeth", "internal"),
  drawn(seen, device) {
    const found = standing(seen, device);
    if (found === null) return [];
    const radii = pitch(device, distance(found.a, found.b));
    const teeth = (z: number) => Math.min(60, Math.max(8, Math.round(z)));
    return [wheel(seen, found.a.x, found.a.y, radii[0], found.angles[0], teeth(numberOf(device, "a"))), wheel(seen, found.b.x, found.b.y, radii[1], found.angles[1], teeth(numberOf(device, "b")))];
  },
  handles: (sketch, device) => pick(sketch, device, (apart) => (device.values["internal"] === true && numberOf(device, "a") < numberOf(device, "b") ? -1 : 1) * (pitch(device, apart)[0] / (apart || 1))),
  equations: meshes,
  follows: whole,
  runs: whole,
};

export const belt: Kind = {
  title: "Belts",
  name: "Belt",
  key: "l",
  icon: "M4.5 6.5h11M4.5 13.5h11M1 10a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M12 10a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0",
  help: "Click on two links that are pinned to the ground, or both to a third link: a belt turns them in the ratio of its wheels.",
  takes: ["link", "link"],
  fields: [
    { key: "a", label: "radius of the first", unit: "length", refuses: positive("A radius") },
    { key: "b", label: "radius of the second", unit: "length", refuses: positive("A radius") },
    { key: "crossed", label: "crossed", unit: "flag" },
  ],
  begin(sketch, links) {
    const found = between(sketch, links, "Belts");
    if (typeof found === "string") return found;
    const radius = round3(0.2 * found.apart) || 0.1;
    return { links: found.links, points: [], values: { a: radius, b: radius, crossed: false } };
  },
  tables: (_sketch, device) => [["couplings", device.name, tableOf(device, "radii", "crossed")]],
  script: (_sketch, device) => scriptOf(device, "radii", "crossed"),
  drawn(seen, device) {
    const found = standing(seen, device);
    if (found === null) return [];
    const { a, b, angles } = found;
    const [ra, rb] = [numberOf(device, "a"), numberOf(device, "b")];
    const apart = distance(a, b);
    const along = Math.atan2(b.y - a.y, b.x - a.x);
    const crossed = device.values["crossed"] === true;
    const sine = (crossed ? ra + rb : ra - rb) / apart;
    const tangents = Math.abs(sine) >= 1 || apart === 0 ? [] : [1, -1].map((side) => {
      const normal = along + side * Math.acos(sine);
      const on = (centre: { x: number; y: number }, r: number): Pair => [centre.x + r * Math.cos(normal), centre.y + r * Math.sin(normal)];
      return line(seen, on(a, ra), on(b, crossed ? -rb : rb));
    });
    return [s("g", { class: "strap" }, ...tangents), wheel(seen, a.x, a.y, ra, angles[0], 0), wheel(seen, b.x, b.y, rb, angles[1], 0)];
  },
  handles: (sketch, device) => pick(sketch, device, () => 0.5),
  equations: meshes,
  follows: whole,
  runs: whole,
};
