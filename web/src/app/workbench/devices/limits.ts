/** Stops and ropes: a measure that is kept between limits, by impacts or by a stiffness. */
import { s } from "../../../dom";
import { quoted } from "../patch";
import { ahead, heading, number, reference } from "../references";
import { type Device, type Sketch, pointOf } from "../sketch";
import { type Field, type Kind, given, notNegative, numberOf, textOf } from "./kind";
import { type Pair, distance, endsOf, footOf, linkOf, middles, turned, wrapped } from "./places";

/** How far from the drawing the limits are at first, rad. */
const SWING = Math.PI / 4;

const RESTITUTION: Field = { key: "restitution", label: "restitution", unit: "count", refuses: (value) => (value >= 0 && value <= 1 ? null : "A coefficient of restitution is between 0 and 1.") };
const STIFFNESS: Field = { key: "stiffness", label: "stiffness, if it is compliant", unit: "count", optional: true, refuses: notNegative("A stiffness") };

const limit = (device: Device, key: string, otherwise: number): number => (given(device, key) ? numberOf(device, key) : otherwise);

/** Whether it pushes back by a stiffness; else things bounce off it. */
const soft = (device: Device): boolean => given(device, "stiffness") && numberOf(device, "stiffness") > 0;

/** The law of a stop, as a table and as arguments. */
const response = (device: Device): readonly (readonly [string, string])[] => (soft(device) ? [["stiffness", number(numberOf(device, "stiffness"))]] : [["restitution", number(numberOf(device, "restitution"))]]);

/** Limits as the description has them. */
const limits = (device: Device, less: number): readonly (readonly [string, string])[] => ["lower", "upper"].filter((key) => given(device, key)).map((key) => [key, number(numberOf(device, key) - less)] as const);

const script = (device: Device, measure: string, less: number): string => `m.stop(${JSON.stringify(measure)}, ${[...limits(device, less), ...response(device)].map(([key, value]) => `${key}=${value}`).join(", ")}, name=${JSON.stringify(device.name)})`;

/** What a stop limits: the angle of a link, or a coordinate of a point. */
function measured(sketch: Sketch, device: Device): { readonly name: string; readonly less: number } {
  const [link] = device.links;
  if (link !== undefined) return { name: `${link}.angle`, less: ahead(sketch, linkOf(sketch, link)) };
  return { name: `${reference(sketch, device.points[0]!)}.${textOf(device, "along")}`, less: 0 };
}

/** A wall at a place, across a direction, on the side to which it points. */
function wall(at: Pair, direction: Pair): SVGElement {
  const turn = (Math.atan2(direction[1], direction[0]) * 180) / Math.PI;
  return s("g", { transform: `translate(${at[0]} ${at[1]}) rotate(${turn.toFixed(2)})` }, s("path", { class: "wall", d: "M0 -16V16M0 -12l6 -5M0 -4l6 -5M0 4l6 -5M0 12l6 -5" }));
}

export const stop: Kind = {
  title: "Stops",
  name: "Stop",
  key: "x",
  icon: "M15 3v14M15 6l3-2.5M15 10l3-2.5M15 14l3-2.5M3 10h9M9 7l3 3l-3 3",
  help: "Click on a link that is pinned to the ground to limit its angle, or on a point to limit how low it comes. Limits and the bounce are edited by number.",
  takes: ["either"],
  fields: [
    { key: "lower", label: "lower limit", unit: "length", optional: true },
    { key: "upper", label: "upper limit", unit: "length", optional: true },
    RESTITUTION,
    STIFFNESS,
    { key: "along", label: "along", unit: "choice", choices: ["x", "y"] },
  ],
  fieldsOf: (device) => (device.links.length === 0 ? stop.fields : stop.fields.filter(({ key }) => key !== "along").map((field) => (field.unit === "length" ? { ...field, unit: "angle" as const } : field))),
  begin(sketch, [link], [point]) {
    if (link !== undefined) {
      if (footOf(sketch, link) === null) return `A stop limits the angle of a link that is pinned to the ground; ${link} is not. Click on a point instead.`;
      const angle = heading(sketch, linkOf(sketch, link));
      return { links: [link], points: [], values: { lower: Number((angle - SWING).toFixed(6)), upper: Number((angle + SWING).toFixed(6)), restitution: 0.5, stiffness: "" } };
    }
    const { y, ground } = pointOf(sketch, point!);
    if (ground || reference(sketch, point!) === null) return `${point} does not move, so that it needs no stop.`;
    const lengths = sketch.links.map(({ points: [a, b] }) => distance(pointOf(sketch, a!), pointOf(sketch, b!)));
    return { links: [], points: [point!], values: { lower: Number((y - 0.25 * Math.max(...lengths)).toFixed(3)), upper: "", restitution: 0.5, stiffness: "", along: "y" } };
  },
  tables(sketch, device) {
    const { name, less } = measured(sketch, device);
    return [["forces", device.name, new Map([["type", quoted("stop")], ["measure", quoted(name)], ...limits(device, less), ...response(device)])]];
  },
  script(sketch, device) {
    const { name, less } = measured(sketch, device);
    return [script(device, name, less)];
  },
  drawn(seen, device) {
    const [link] = device.links;
    const ends = ["lower", "upper"].filter((key) => given(device, key));
    if (link === undefined) {
      const { x, y } = pointOf(seen.shown, device.points[0]!);
      const across = textOf(device, "along") === "x";
      return ends.map((key) => {
        const outwards = key === "lower" ? -1 : 1;
        return wall(across ? seen.at(numberOf(device, key), y) : seen.at(x, numberOf(device, key)), across ? [outwards, 0] : [0, -outwards]);
      });
    }
    const foot = footOf(seen.sketch, link);
    if (foot === null) return [];
    const reach = Math.max(...linkOf(seen.sketch, link).points.map((name) => distance(foot, pointOf(seen.sketch, name)))) * 0.6;
    return ends.map((key) => {
      const angle = numberOf(device, key);
      const outwards = key === "lower" ? -1 : 1;
      return wall(seen.at(foot.x + reach * Math.cos(angle), foot.y + reach * Math.sin(angle)), [-outwards * Math.sin(angle), -outwards * Math.cos(angle)]);
    });
  },
  handles(sketch, device) {
    const [link] = device.links;
    const ends = ["lower", "upper"].filter((key) => given(device, key));
    if (link === undefined) {
      const { x, y } = pointOf(sketch, device.points[0]!);
      return ends.map((key): Pair => (textOf(device, "along") === "x" ? [numberOf(device, key), y] : [x, numberOf(device, key)]));
    }
    const foot = footOf(sketch, link);
    if (foot === null) return [];
    const reach = Math.max(...linkOf(sketch, link).points.map((name) => distance(foot, pointOf(sketch, name)))) * 0.6;
    return ends.map((key): Pair => [foot.x + reach * Math.cos(numberOf(device, key)), foot.y + reach * Math.sin(numberOf(device, key))]);
  },
  equations: () => [],
  runs: () => false,
  range(sketch, shown, device) {
    const [lower, upper] = [limit(device, "lower", -Infinity), limit(device, "upper", Infinity)];
    const [link] = device.links;
    if (link === undefined) return { value: pointOf(shown, device.points[0]!)[textOf(device, "along") as "x" | "y"], lower, upper, point: device.points[0]! };
    const drawn = heading(sketch, linkOf(sketch, link));
    // of the turns that look the same, the one nearest to the middle
    const middle = Number.isFinite(lower + upper) ? (lower + upper) / 2 : drawn;
    return { value: middle + wrapped(drawn + turned({ sketch, shown }, link) - middle), lower, upper, point: footOf(sketch, link)?.name ?? null };
  },
  mirrored(device) {
    const flipped = (key: string, to: (value: number) => number) => (given(device, key) ? to(numberOf(device, key)) : "");
    return device.links.length === 0 ? device.values : { ...device.values, lower: flipped("upper", (x) => Number((Math.PI - x).toFixed(6))), upper: flipped("lower", (x) => Number((Math.PI - x).toFixed(6))) };
  },
};

export const rope: Kind = {
  title: "Ropes",
  name: "Rope",
  key: "w",
  icon: "M2.5 4C5 16 15 16 17.5 4M1 4h3M16 4h3",
  help: "Click on two points; a click elsewhere attaches that end to the ground. The rope is tight as it is drawn, and slack when its ends are nearer.",
  takes: ["end", "end"],
  fields: [{ key: "upper", label: "length", unit: "length", refuses: (value) => (value > 0 ? null : "A length must be positive.") }, RESTITUTION],
  begin(sketch, _links, [a, b]) {
    if (a === b) return "A rope has two ends.";
    const length = distance(pointOf(sketch, a!), pointOf(sketch, b!));
    return length < 1e-9 ? "The ends of a rope must be apart." : { links: [], points: [a!, b!], values: { upper: Number(length.toPrecision(9)), restitution: 0 } };
  },
  tables(sketch, device) {
    const [a, b] = device.points.map((point) => reference(sketch, point));
    if (a == null || b == null) return [];
    const measure = device.own?.["measure"] ?? `${device.name} length`;
    return [
      ["measures", measure, new Map([["type", quoted("distance")], ["a", quoted(a)], ["b", quoted(b)]])],
      ["forces", device.name, new Map([["type", quoted("stop")], ["measure", quoted(measure)], ...limits(device, 0), ...response(device)])],
    ];
  },
  script(sketch, device, point) {
    if (device.points.some((name) => reference(sketch, name) === null)) return [];
    const measure = `${device.name} length`;
    return [`m.separation(${JSON.stringify(measure)}, ${device.points.map(point).join(", ")})`, script(device, measure, 0)];
  },
  drawn(seen, device) {
    const [a, b] = endsOf(seen.shown, device);
    const [[x1, y1], [x2, y2]] = [seen.at(a.x, a.y), seen.at(b.x, b.y)];
    const span = distance(a, b);
    // a shallow parabola of this length sags by √(3/8 L (L − s)), roughly
    const spare = Math.max(0, numberOf(device, "upper") - span);
    const sag = Math.sqrt(0.375 * numberOf(device, "upper") * spare) * (span > 0 ? Math.hypot(x2 - x1, y2 - y1) / span : 1);
    return [s("path", { class: "rope", d: `M${x1} ${y1}Q${(x1 + x2) / 2} ${(y1 + y2) / 2 + 2 * sag} ${x2} ${y2}` })];
  },
  handles: middles,
  equations: () => [],
  runs: () => false,
  range(_sketch, shown, device) {
    const [a, b] = endsOf(shown, device);
    return { value: distance(a, b), lower: -Infinity, upper: limit(device, "upper", Infinity), point: device.points[1]! };
  },
};
