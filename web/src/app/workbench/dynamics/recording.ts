/** A run that was computed in the page, as the scene that the server would send. */
import { packed } from "../../../numbers";
import type { Arrows, Numbers, Outcome, Scene, Series } from "../../../scene";
import { type Base, local } from "../kinematics/linkage";
import type { Link } from "../sketch";
import { frame as frameOf, nameOn } from "../references";
import { motorName, tracedPoints } from "../toml";
import type { Frame } from "./integrate";
import type { Machine } from "./machine";

type Vector = readonly [number, number];

/** A link in motion: a place of it, by its coordinates in the axes of its base. */
interface Carried {
  readonly link: Link;
  readonly base: Base;
  /** How its own axes are turned against its base. */
  readonly turn: number;
  /** Where its origin is in the axes of its base. */
  readonly origin: { readonly along: number; readonly across: number };
}

/** The scene of frames; quantities are called as Grashof calls them. */
export function recorded(machine: Machine, frames: readonly Frame[], outcome: Outcome, notes: Scene["notes"]): Scene {
  const { linkage } = machine;
  const { sketch } = linkage;
  const links = sketch.links.map((link) => carried(machine, link));
  const series: Series[] = [];
  const add = (name: string, unit: string, value: (found: Frame, k: number) => number) => series.push({ name, unit, values: array(frames.map(value)) });
  const angles = links.map((found) => continuous(frames.map(({ q }) => angleOf(found, q))));
  links.forEach(({ link }, i) => add(`${link.name}.angle`, "rad", (_, k) => angles[i]![k]!));
  links.forEach(({ link, base }) => add(`${link.name}.angle.rate`, "rad/s", ({ q, v }) => cross(arm(base, q), arm(base, v)) / base.length ** 2));
  const energies = frames.map((found) => machine.energies(found));
  add("kinetic", "J", (_, k) => energies[k]!.kinetic);
  add("potential", "J", (_, k) => energies[k]!.potential);
  add("energy", "J", (_, k) => energies[k]!.kinetic + energies[k]!.potential);
  const owners = linkage.owners();
  for (const motor of sketch.motors) {
    const row = owners.findIndex(({ owner, name }) => owner === "motor" && name === motor.link);
    const { length } = linkage.bases.get(motor.link)!;
    // a turn by δθ moves the row by L δθ, and the joint pushes with −λ
    add(`${motorName(motor)}.torque`, "N m", ({ factors }) => -factors[row]! * length);
  }
  const arrows: Arrows[] = [];
  const points = links.flatMap(({ link, base, turn, origin }, i) =>
    link.points.map((name) => {
      const [x, y] = place(base, origin, linkage.start);
      const [angle, at] = [angleOf({ link, base, turn, origin }, linkage.start), linkage.place(name, linkage.start)];
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const spot = { body: i + 1, at: [cos * (at.x - x) + sin * (at.y - y), cos * (at.y - y) - sin * (at.x - x), 0] as const };
      const number = linkage.coordinate(name)!;
      for (const [kind, unit, of] of [["velocity", "m/s", "v"], ["acceleration", "m/s²", "a"]] as const) arrows.push({ kind, name: nameOn(link, name), unit, spot, values: array(frames.flatMap((found) => [found[of][number]!, found[of][number + 1]!]), 2) });
      return { name: nameOn(link, name), spot, helper: false };
    }),
  );
  const poses = frames.flatMap(({ q }, k) => links.flatMap(({ base, origin }, i) => [...place(base, origin, q), 0, Math.cos(angles[i]![k]! / 2), 0, 0, Math.sin(angles[i]![k]! / 2)]));
  const body = (name: string, color: number) => ({ name, color, corners: [], center: null, facts: [], shapes: [], mark: [], marked: false });
  const none = [0, 0, 0] as const;
  return {
    format: 1, name: sketch.name, dimension: 2, gravity: [0, -sketch.gravity, 0], size: linkage.size, detail: 0, lower: none, upper: none, room: linkage.size, shift: none,
    view: { towards: [0, 0, 1], up: [0, 1, 0], flat: true, lower: none, upper: none },
    bodies: [body("ground", 0), ...links.map(({ link }, i) => body(link.name, i))],
    points, symbols: [], times: array(frames.map(({ t }) => t)), poses: { shape: [frames.length, links.length, 7], data: array(poses).data },
    series, arrows, moments: [], outcome, notes, traced: tracedPoints(sketch), plotted: [],
  };
}

function carried({ linkage }: Machine, link: Link): Carried {
  const base = linkage.bases.get(link.name)!;
  const { x, y, angle } = frameOf(linkage.sketch, link);
  const [one, other] = [linkage.place(base.one.name, linkage.start), linkage.place(base.other.name, linkage.start)];
  return { link, base, turn: angle - Math.atan2(other.y - one.y, other.x - one.x), origin: local(one, other, { x, y }) };
}

const arm = ({ a, b }: Base, q: Float64Array): Vector => [q[b]! - q[a]!, q[b + 1]! - q[a + 1]!];
const cross = ([ax, ay]: Vector, [bx, by]: Vector): number => ax * by - ay * bx;

function place(base: Base, { along, across }: Carried["origin"], q: Float64Array): Vector {
  const [dx, dy] = arm(base, q);
  return [q[base.a]! + along * dx - across * dy, q[base.a + 1]! + along * dy + across * dx];
}

const angleOf = ({ base, turn }: Carried, q: Float64Array): number => {
  const [dx, dy] = arm(base, q);
  return Math.atan2(dy, dx) + turn;
};

/** Angles without jumps; the first is between −π and π. */
function continuous(angles: readonly number[]): readonly number[] {
  let last = 0;
  return angles.map((angle) => (last = angle - 2 * Math.PI * Math.round((angle - last) / (2 * Math.PI))));
}

const array = (values: readonly number[], width = 1): Numbers => packed(Float32Array.from(values), width === 1 ? [values.length] : [values.length / width, width]);
