/** What a kind of device answers for itself: how it is drawn, edited and described, and what it demands of a motion. */
import type { Linkage } from "../kinematics/linkage";
import type { Equation } from "../kinematics/equations";
import type { Device, Sketch, Values } from "../sketch";
import type { Fields, ListName } from "../toml";
import type { Kind as Unit } from "../units";

export interface Field {
  readonly key: string;
  readonly label: string;
  /** What a number measures; "count" is a plain number, "law" a number or an expression of t, "list" a list of pairs, "choice" one of a few words. */
  readonly unit: Unit | "count" | "law" | "list" | "flag" | "choice";
  readonly choices?: readonly string[];
  /** Whether it may be left empty. */
  readonly optional?: boolean;
  /** A sentence if a number cannot be taken. */
  readonly refuses?: (value: number) => string | null;
}

/** How a position is seen: the sketch as it is edited, as it is shown, and pixels. */
export interface Seen {
  readonly sketch: Sketch;
  readonly shown: Sketch;
  at(x: number, y: number): readonly [number, number];
}

/** A measure that is kept between limits. */
export interface Range {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly point: string | null;
}

export interface Kind {
  /** The heading in the list of parts. */
  readonly title: string;
  readonly name: string;
  readonly key: string;
  readonly icon: string;
  readonly help: string;
  /** What is clicked, one after the other; an "end" is a point or a new one of the ground, "either" a point or a link. */
  readonly takes: readonly ("link" | "point" | "end" | "either")[];
  readonly fields: readonly Field[];
  /** The fields of a device, if they are not those of all. */
  fieldsOf?(device: Device): readonly Field[];
  /** The device between these links and points, without its name; a sentence if there can be none. */
  begin(sketch: Sketch, links: readonly string[], points: readonly string[]): Omit<Device, "name" | "type"> | string;
  /** The tables that describe it. */
  tables(sketch: Sketch, device: Device): readonly (readonly [ListName, string, Fields])[];
  /** Calls of Python that make it; `point` gives a point as Python knows it. */
  script(sketch: Sketch, device: Device, point: (name: string) => string): readonly string[];
  drawn(seen: Seen, device: Device): readonly SVGElement[];
  /** Places by which it can be picked, m. */
  handles(sketch: Sketch, device: Device): readonly (readonly [number, number])[];
  /** What it demands of positions, with motors or by hand; null if this page does not know. */
  equations(linkage: Linkage, device: Device, driven: boolean): readonly Equation[] | null;
  /** Whether this page knows the positions that it allows; it does unless said otherwise. */
  follows?(device: Device): boolean;
  /** Whether this page can compute runs with it. */
  runs(device: Device): boolean;
  /** What it keeps between limits in a position, against the drawing. */
  range?(sketch: Sketch, shown: Sketch, device: Device): Range | null;
  /** Its values in a mirrored sketch. */
  mirrored?(device: Device): Values;
}

export const numberOf = (device: Device, key: string): number => Number(device.values[key]);
export const textOf = (device: Device, key: string): string => String(device.values[key] ?? "");

/** Whether an optional value is there. */
export const given = (device: Device, key: string): boolean => textOf(device, key).trim() !== "";

/** A field that must be positive. */
export const positive = (label: string) => (value: number): string | null => (value > 0 ? null : `${label} must be positive.`);
export const notNegative = (label: string) => (value: number): string | null => (value >= 0 ? null : `${label} cannot be negative.`);
