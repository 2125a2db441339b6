/** Colours, light and dark. Those of bodies can be told apart with any kind of colour vision (after Okabe and Ito, 2008). */
import { Color } from "three";
import type { Theme } from "../store";

export interface Colors {
  readonly background: Color;
  readonly ink: Color;
  readonly ground: Color;
  readonly steel: Color;
  readonly paper: Color;
  readonly accent: Color;
  readonly velocity: Color;
  readonly acceleration: Color;
  readonly force: Color;
  readonly reaction: Color;
  readonly gap: Color;
  readonly bodies: readonly Color[];
}

/** A colour that is not that of a body, by its name. */
export type Tone = Exclude<keyof Colors, "bodies">;

// those of src/grashof/scene/palette.py, where a test compares them
const BODIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3d2b7d", "#5c5c5c"];
const DARK_BODIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#d8d8d8"];

function made(bodies: readonly string[], shades: Record<Tone, string>): Colors {
  const entries = Object.entries(shades).map(([name, shade]) => [name, new Color(shade)]);
  return { ...(Object.fromEntries(entries) as Omit<Colors, "bodies">), bodies: bodies.map((shade) => new Color(shade)) };
}

export const COLORS: Readonly<Record<Theme, Colors>> = {
  light: made(BODIES, {
    background: "#ffffff",
    ink: "#24292f",
    ground: "#6e7781",
    steel: "#c3cad2",
    paper: "#ffffff",
    accent: "#b5179e",
    velocity: "#1a7f37",
    acceleration: "#bc4c00",
    force: "#0550ae",
    reaction: "#8250df",
    gap: "#cf222e",
  }),
  dark: made(DARK_BODIES, {
    background: "#14181d",
    ink: "#dde3ea",
    ground: "#6b7683",
    steel: "#aab4bf",
    paper: "#14181d",
    accent: "#ff7ae5",
    velocity: "#3fb950",
    acceleration: "#f0883e",
    force: "#79c0ff",
    reaction: "#b392f0",
    gap: "#ff7b72",
  }),
};

/** The colour of a body. */
export function colorOf(colors: Colors, index: number): Color {
  return colors.bodies[index % colors.bodies.length]!;
}
