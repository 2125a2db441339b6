/** All kinds of devices; another one is another file, and a line here. */
import { type Device, type Sketch, withPart } from "../sketch";
import { cam } from "./cam";
import { cylinder } from "./cylinder";
import { friction } from "./friction";
import type { Field, Kind } from "./kind";
import { rope, stop } from "./limits";
import { rack } from "./rack";
import { belt, gear } from "./wheels";

export const KINDS = { gear, belt, rack, cam, cylinder, stop, rope, friction } as const satisfies Readonly<Record<string, Kind>>;

export type DeviceType = keyof typeof KINDS;

export const TYPES = Object.keys(KINDS) as readonly DeviceType[];

export const isType = (name: string): name is DeviceType => Object.hasOwn(KINDS, name);

export const kindOf = (device: Device): Kind => KINDS[device.type];

/** The fields that a device has. */
export const fieldsOf = (device: Device): readonly Field[] => kindOf(device).fieldsOf?.(device) ?? kindOf(device).fields;

/** The sketch with a device between links and points; a sentence if there can be none. */
export function withDevice(sketch: Sketch, type: DeviceType, links: readonly string[], points: readonly string[]): Sketch | string {
  const found = KINDS[type].begin(sketch, links, points);
  return typeof found === "string" ? found : withPart(sketch, "device", { ...found, type }, type);
}

/** Names of what keeps a page from knowing how a sketch moves by hand. */
export function beyond(sketch: Sketch): readonly string[] {
  return [...(sketch.beyond ?? []), ...sketch.devices.filter((device) => kindOf(device).follows?.(device) === false).map(({ name }) => name)];
}

/** Names of what keeps a page from computing a run. */
export function unknown(sketch: Sketch): readonly string[] {
  const laws = sketch.motors.filter((motor) => motor.law !== undefined).map((motor) => `the law of the motor of ${motor.link}`);
  return [...(sketch.unknown ?? []), ...laws, ...sketch.devices.filter((device) => !kindOf(device).runs(device)).map(({ name }) => name)];
}
