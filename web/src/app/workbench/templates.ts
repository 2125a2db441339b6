/** Linkages to begin with, all of whose numbers are to be changed. */
import { EMPTY, type Sketch, withGround, withLink, withMotor, withPoint, withSlider, withSlot } from "./sketch";

type Places = Readonly<Record<string, readonly [number, number]>>;

/** Links by the letters of their points; the first is driven. */
function linkage(name: string, places: Places, links: readonly string[], ground: string): Sketch {
  const drawn = Object.entries(places).reduce((found, [, [x, y]]) => withPoint(found, x, y)[0], { ...EMPTY, name });
  const whole = links.reduce((found, link) => withLink(found, [...link]), drawn);
  return withMotor([...ground].reduce((found, point) => withGround(found, point, true), whole), "link 1", Math.PI);
}

/** Names of templates, and what makes them; points are called A, B, C … in the order of their places. */
export const TEMPLATES: Readonly<Record<string, () => Sketch>> = {
  "Four-bar": () => linkage("four-bar", { A: [0, 0], B: [0.15, 0.25], C: [0.75, 0.6], D: [0.9, 0] }, ["AB", "BC", "CD"], "AD"),
  "Four-bar with a coupler point": () => linkage("four-bar", { A: [0, 0], B: [0.15, 0.25], C: [0.75, 0.6], D: [0.9, 0], E: [0.25, 0.75] }, ["AB", "BCE", "CD"], "AD"),
  "Slider-crank": () => withSlider(linkage("slider-crank", { A: [0, 0], B: [0.15, 0.2], C: [0.85, 0] }, ["AB", "BC"], "A"), "C", 0),
  "Watt six-bar": () => linkage("Watt six-bar", { A: [0, 0], B: [0.1, 0.2], C: [0.55, 0.45], D: [0.65, 0], E: [0.95, 0.35], F: [1.3, 0.75], G: [1.35, 0] }, ["AB", "BC", "DCE", "EF", "FG"], "ADG"),
  "Stephenson six-bar": () => linkage("Stephenson six-bar", { A: [0, 0], B: [0.1, 0.2], C: [0.6, 0.5], D: [0.65, 0], E: [0.4, 0.75], F: [1.05, 0.65], G: [1.1, 0] }, ["AB", "BCE", "CD", "EF", "FG"], "ADG"),
  "Quick return": () => withSlider(withSlot(linkage("quick return", { A: [0, 0.35], B: [0.14, 0.4], C: [0, 0], D: [0.217, 0.62], E: [0.7, 0.62] }, ["AB", "CD", "DE"], "AC"), "link 2", "link 1", "B"), "E", 0),
};
