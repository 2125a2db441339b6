/** A rack and its pinion: a link that turns about a pin of the ground, and a point that slides on a line of the ground. */
import { s } from "../../../dom";
import { Rolling } from "../kinematics/meshes";
import { quoted } from "../patch";
import { heading, law, number, pair, reference } from "../references";
import { type Device, type Sketch, pointOf } from "../sketch";
import { type Kind, numberOf } from "./kind";
import { footOf, linkOf, turned, wheel } from "./places";

/** The direction of the line of a point that slides. */
function direction(sketch: Sketch, point: string): readonly [number, number] | null {
  const slider = sketch.sliders.find((found) => found.point === point);
  if (slider === undefined) return null;
  const turn = (slider.angle * Math.PI) / 180;
  return [Number(Math.cos(turn).toFixed(12)), Number(Math.sin(turn).toFixed(12))];
}

/** How a description calls the coordinate of the point, and the measure that it needs for it. */
function travel(sketch: Sketch, device: Device): { readonly name: string; readonly measured: boolean; readonly along: readonly [number, number] } {
  const point = device.points[0]!;
  const along = direction(sketch, point) ?? [1, 0];
  if (device.own?.["rack"] !== undefined) return { name: device.own["rack"], measured: false, along };
  const of = reference(sketch, point);
  return along[0] === 1 ? { name: `${of}.x`, measured: false, along } : along[1] === 1 ? { name: `${of}.y`, measured: false, along } : { name: `${device.name} travel`, measured: true, along };
}

export const rack: Kind = {
  title: "Racks",
  name: "Rack",
  key: "r",
  icon: "M1.5 16h17M3 16v-2.5M6 16v-2.5M9 16v-2.5M12 16v-2.5M15 16v-2.5M4.5 8a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0",
  help: "Click on a link that is pinned to the ground, the pinion, and on a point with a slider, the rack.",
  takes: ["link", "point"],
  fields: [{ key: "radius", label: "radius", unit: "length", refuses: (value) => (value === 0 ? "The radius of a pinion cannot be zero; it is negative where the rack goes back as the angle grows." : null) }],
  begin(sketch, [pinion], [point]) {
    const foot = footOf(sketch, pinion!);
    if (foot === null) return `A pinion turns about a pin of the ground, which ${pinion} does not have.`;
    const along = direction(sketch, point!);
    if (along === null) return `A rack slides: put a slider at ${point} first.`;
    if (linkOf(sketch, pinion!).points.includes(point!)) return `${point} belongs to ${pinion} itself.`;
    const at = pointOf(sketch, point!);
    const radius = along[0] * (foot.y - at.y) - along[1] * (foot.x - at.x);
    if (Math.abs(radius) < 1e-6) return `The line of ${point} goes through ${foot.name}, so that the pinion would have no radius.`;
    return { links: [pinion!], points: [point!], values: { radius: Number(radius.toPrecision(9)) } };
  },
  tables(sketch, device) {
    const { name, measured, along } = travel(sketch, device);
    const measure = ["measures", name, new Map([["type", quoted("coordinate")], ["point", quoted(reference(sketch, device.points[0]!)!)], ["direction", pair(...along)]])] as const;
    return [...(measured ? [measure] : []), ["couplings", device.name, new Map([["type", quoted("rack")], ["rack", quoted(name)], ["pinion", quoted(`${device.links[0]}.angle`)], ["radius", law(String(numberOf(device, "radius")))]])]];
  },
  script(sketch, device, point) {
    const { name, measured, along } = travel(sketch, device);
    const made = measured ? [`m.coordinate(${JSON.stringify(name)}, ${point(device.points[0]!)}, (${along.map(number).join(", ")}))`] : [];
    return [...made, `m.rack(${JSON.stringify(name)}, body[${JSON.stringify(device.links[0])}], radius=${number(numberOf(device, "radius"))}, name=${JSON.stringify(device.name)})`];
  },
  drawn(seen, device) {
    const foot = footOf(seen.sketch, device.links[0]!);
    const along = direction(seen.sketch, device.points[0]!);
    if (foot === null || along === null) return [];
    const radius = numberOf(device, "radius");
    const [x, y] = along;
    const at = pointOf(seen.shown, device.points[0]!);
    // the line of the teeth touches the pinion on the side where the rack is
    const across = [radius * y, -radius * x] as const;
    const far = x * (at.x - foot.x) + y * (at.y - foot.y);
    const reach = Math.max(Math.abs(far), 2 * Math.abs(radius));
    const place = (k: number) => seen.at(foot.x + across[0] + k * x, foot.y + across[1] + k * y);
    const [[x1, y1], [x2, y2]] = [place(Math.min(far, -reach / 2)), place(Math.max(far, reach / 2))];
    const tooth = Math.hypot(...(seen.at(foot.x + radius, foot.y).map((p, k) => p - seen.at(foot.x, foot.y)[k]!) as [number, number]));
    const dash = (2 * Math.PI * tooth) / 24 / 2;
    const angle = heading(seen.sketch, linkOf(seen.sketch, device.links[0]!)) + turned(seen, device.links[0]!);
    return [s("line", { x1, y1, x2, y2 }), s("line", { class: "teeth", x1, y1, x2, y2, "stroke-dasharray": `${dash.toFixed(2)} ${dash.toFixed(2)}` }), wheel(seen, foot.x, foot.y, Math.abs(radius), angle, 24)];
  },
  handles(sketch, device) {
    const foot = footOf(sketch, device.links[0]!);
    const along = direction(sketch, device.points[0]!);
    return foot === null || along === null ? [] : [[foot.x + numberOf(device, "radius") * along[1], foot.y - numberOf(device, "radius") * along[0]]];
  },
  equations(linkage, device) {
    const along = direction(linkage.sketch, device.points[0]!);
    const p = linkage.coordinate(device.points[0]!);
    return along === null || p === undefined ? null : [new Rolling(device.name, p, along, linkage.bases.get(device.links[0]!)!, numberOf(device, "radius"), linkage.drawn)];
  },
  runs: () => true,
  mirrored: (device) => ({ ...device.values, radius: -numberOf(device, "radius") }),
};
