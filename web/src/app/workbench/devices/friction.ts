/** Friction in the joint at a point. */
import { s } from "../../../dom";
import { quoted } from "../patch";
import { jointAt, number } from "../references";
import { type Device, type Sketch, pointOf } from "../sketch";
import { type Kind, notNegative, numberOf } from "./kind";
import { jointed } from "./places";

const KEYS = ["viscous", "coulomb", "mu", "radius"] as const;

const values = (device: Device): readonly (readonly [string, string])[] => KEYS.filter((key) => numberOf(device, key) !== 0).map((key) => [key, number(numberOf(device, key))] as const);

const joint = (sketch: Sketch, device: Device): string => device.own?.["joint"] ?? jointAt(sketch, device.points[0]!);

export const friction: Kind = {
  title: "Friction",
  name: "Friction",
  key: "i",
  icon: "M2 14h16M5 14V8h8v6M3 11l-1 0M7 5c1-1.5 2 1.5 3 0s2 1.5 3 0",
  help: "Click on a pin, a slider or a slot: it rubs. Where more than two links share a pin, friction acts between the first two.",
  takes: ["point"],
  fields: [
    { key: "viscous", label: "viscous, N m s or N s/m", unit: "count", refuses: notNegative("A coefficient of viscous friction") },
    { key: "coulomb", label: "Coulomb, N m or N", unit: "count", refuses: notNegative("Coulomb friction") },
    { key: "mu", label: "coefficient μ", unit: "count", refuses: notNegative("A coefficient of friction") },
    { key: "radius", label: "radius of the pin", unit: "length", refuses: notNegative("A radius") },
  ],
  begin(sketch, _links, [point]) {
    if (!jointed(sketch, point!)) return `There is no joint at ${point}: friction acts where links are pinned or slide.`;
    return { links: [], points: [point!], values: { viscous: 0, coulomb: 0.1, mu: 0, radius: 0 } };
  },
  tables: (sketch, device) => (jointed(sketch, device.points[0]!) || device.own ? [["forces", device.name, new Map([["type", quoted("friction")], ["joint", quoted(joint(sketch, device))], ...values(device)])]] : []),
  script: (sketch, device) => (jointed(sketch, device.points[0]!) ? [`m.friction(${JSON.stringify(joint(sketch, device))}, ${[...values(device), ["name", JSON.stringify(device.name)] as const].map(([key, value]) => `${key}=${value}`).join(", ")})`] : []),
  drawn(seen, device) {
    const { x, y } = pointOf(seen.shown, device.points[0]!);
    const [cx, cy] = seen.at(x, y);
    return [s("path", { class: "rub", d: `M${cx - 15} ${cy - 4}a15 15 0 0 1 8 -9M${cx + 15} ${cy + 4}a15 15 0 0 1 -8 9M${cx - 11} ${cy - 3}a11 11 0 0 1 6 -7M${cx + 11} ${cy + 3}a11 11 0 0 1 -6 7` })];
  },
  handles: () => [],
  equations: () => [],
  runs: () => false,
};
