/** A hydraulic cylinder, or a lead screw: a distance between two points that is driven. */
import { s } from "../../../dom";
import { Reach } from "../kinematics/meshes";
import { quoted } from "../patch";
import { law, reference } from "../references";
import { pointOf } from "../sketch";
import { type Kind, given, textOf } from "./kind";
import { distance, endsOf, middles, round3 } from "./places";

const constant = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

export const cylinder: Kind = {
  title: "Cylinders",
  name: "Cylinder",
  key: "y",
  icon: "M1.5 10h3M4.5 6.5h8v7h-8zM9 6.5v7M9 10h9.5",
  help: "Click on two points; a click elsewhere attaches that end to the ground. The cylinder changes their distance at a given speed.",
  takes: ["end", "end"],
  fields: [{ key: "speed", label: "speed, m/s, may depend on t", unit: "law", optional: true }],
  begin(sketch, _links, [a, b]) {
    if (a === b) return "A cylinder has two ends.";
    const length = distance(pointOf(sketch, a!), pointOf(sketch, b!));
    return length < 1e-9 ? "The ends of a cylinder must be apart." : { links: [], points: [a!, b!], values: { speed: `${round3(0.1 * length)}*cos(t)` } };
  },
  tables(sketch, device) {
    const [a, b] = device.points.map((point) => reference(sketch, point));
    if (a == null || b == null) return [];
    const measure = device.own?.["measure"] ?? `${device.name} length`;
    return [
      ["measures", measure, new Map([["type", quoted("distance")], ["a", quoted(a)], ["b", quoted(b)]])],
      ["motors", device.name, new Map([["target", quoted(measure)], ...(given(device, "speed") ? [["speed", law(textOf(device, "speed"))] as const] : [])])],
    ];
  },
  script(sketch, device, point) {
    const ends = device.points.map((name) => reference(sketch, name));
    return ends.includes(null) ? [] : [`m.cylinder(${device.points.map(point).join(", ")}, speed=${law(textOf(device, "speed"))}, name=${JSON.stringify(device.name)})`];
  },
  drawn(seen, device) {
    const [a, b] = endsOf(seen.shown, device);
    const drawn = distance(...endsOf(seen.sketch, device));
    const [[x1, y1], [x2, y2]] = [seen.at(a.x, a.y), seen.at(b.x, b.y)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    // the barrel keeps its length, and the rod comes out of it
    const barrel = Math.min(0.62 * drawn * (length / (distance(a, b) || 1)), length);
    return [s("g", { transform: `translate(${x1} ${y1}) rotate(${angle})` }, s("path", { d: `M0 0H${length.toFixed(2)}` }), s("rect", { class: "barrel", x: 8, y: -9, width: Math.max(0, barrel - 8), height: 18, rx: 2 }), s("path", { d: `M${Math.max(8, length - 0.45 * barrel - 8).toFixed(2)} -9v18` }))];
  },
  handles: middles,
  equations(linkage, device, driven) {
    if (!driven) return [];
    const [a, b] = device.points.map((point) => linkage.coordinate(point));
    return a === undefined || b === undefined || !constant(textOf(device, "speed")) ? null : [new Reach(device.name, a, b, Number(textOf(device, "speed")), linkage.start)];
  },
  runs: (device) => constant(textOf(device, "speed")),
};
