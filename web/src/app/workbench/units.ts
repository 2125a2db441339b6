/** Numbers with units, as they are shown and as they may be typed. */

/** What a number measures. */
export type Kind = "length" | "angle" | "mass" | "speed" | "stiffness" | "damping" | "force" | "torque" | "count";

/** Units of each kind, as factors to SI; what is shown is in the first that gives a number from 1 on, or in the last. */
const UNITS: Readonly<Record<Kind, readonly (readonly [string, number])[]>> = {
  length: [["m", 1], ["mm", 1e-3]],
  angle: [["°", Math.PI / 180]],
  mass: [["kg", 1], ["g", 1e-3]],
  speed: [["rpm", Math.PI / 30]],
  stiffness: [["N/m", 1]],
  damping: [["N s/m", 1]],
  force: [["N", 1]],
  torque: [["N m", 1]],
  count: [["", 1]],
};

const ALSO: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  length: { cm: 1e-2, km: 1e3, in: 0.0254, inch: 0.0254, ft: 0.3048, "µm": 1e-6, um: 1e-6 },
  angle: { deg: Math.PI / 180, rad: 1 },
  mass: { t: 1e3, lb: 0.45359237 },
  speed: { "rad/s": 1, "deg/s": Math.PI / 180, "°/s": Math.PI / 180, "1/s": 2 * Math.PI, hz: 2 * Math.PI, "1/min": Math.PI / 30 },
  stiffness: { "n/m": 1, "n/mm": 1e3, "kn/m": 1e3 },
  damping: { "n s/m": 1, "ns/m": 1 },
  force: { kn: 1e3, mn: 1e6 },
  torque: { nm: 1, "n mm": 1e-3, nmm: 1e-3, "kn m": 1e3, knm: 1e3 },
  count: {},
};

/** The unit in which a number is shown. */
function unitOf(kind: Kind, value: number): readonly [string, number] {
  const units = UNITS[kind];
  return units.find(([, factor]) => Math.abs(value) >= factor * (1 - 1e-9)) ?? units[value === 0 ? 0 : units.length - 1]!;
}

/** A number with its unit, to six digits. */
export function inUnits(kind: Kind, value: number): string {
  const [unit, factor] = unitOf(kind, value);
  const digits = String(Number((value / factor).toPrecision(6)));
  return unit === "" ? digits : unit === "°" ? `${digits}°` : `${digits} ${unit}`;
}

/** What was typed, in SI; a bare number has the unit in which the value was shown. Null if it is no number with a unit of this kind. */
export function fromUnits(kind: Kind, text: string, before: number): number | null {
  const found = /^\s*([+−-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*?)\s*$/i.exec(text.replace(",", "."));
  if (found === null) return null;
  const number = Number(found[1]!.replace("−", "-"));
  const unit = found[2]!.toLowerCase();
  const named = UNITS[kind].find(([name]) => name.toLowerCase() === unit)?.[1] ?? ALSO[kind][unit];
  const factor = unit === "" ? unitOf(kind, before)[1] : named;
  const value = factor === undefined ? NaN : number * factor;
  return Number.isFinite(value) && Math.abs(value) <= 1e9 ? value : null;
}
