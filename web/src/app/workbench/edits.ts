/** Values of devices and motors as they are typed: taken over, or refused with a sentence. */
import type { Bench } from "./bench";
import { pairs } from "./devices/cam";
import type { Field } from "./devices/kind";
import { type Device, type Motor, withChanged } from "./sketch";
import { fromUnits, inUnits } from "./units";

/** Gives a motor another speed. */
export function withSpeed(bench: Bench, motor: Motor, text: string): string | void {
  const value = fromUnits("speed", text, motor.speed);
  if (value === null && !/\bt\b/.test(text)) return `motor speed: ${text} is neither a number with a unit, such as 60 rpm, nor an expression of t in rad/s, such as 3*sin(2*t).`;
  bench.commit(withChanged(bench.page.sketch, { kind: "motor", name: motor.link }, ({ law: _, ...found }: Motor) => (value === null ? { ...found, law: text.trim() } : { ...found, speed: value })));
}

/** Takes over a value of a device; a sentence if it is refused. */
export function changed(bench: Bench, device: Device, { key, label, unit, optional, refuses, choices }: Field, value: string | number | boolean): string | void {
  const text = String(value).trim();
  let found: string | number | boolean = value;
  if (unit === "choice") {
    if (!choices!.includes(text)) return `${label} is one of ${choices!.join(", ")}.`;
  } else if (unit === "list") {
    if (pairs(text) === null) return `${label}: give four places or more, such as 0.1 0, 0 0.1, -0.1 0, 0 -0.1.`;
    found = text;
  } else if (unit === "law") {
    if (text === "") return `${label}: give a number, or an expression of t.`;
    found = text;
  } else if (unit !== "flag" && !(optional && text === "")) {
    const number = typeof value === "number" ? value : fromUnits(unit, text, 1);
    if (number === null) return `${label}: ${text} is no number with a unit${unit === "count" ? "" : `, such as ${inUnits(unit, 1)}`}.`;
    const refusal = refuses?.(number);
    if (refusal) return refusal;
    found = number;
  }
  bench.commit(withChanged(bench.page.sketch, { kind: "device", name: device.name }, (one: Device) => ({ ...one, values: { ...one.values, [key]: found } })));
}
