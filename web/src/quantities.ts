/** Everything that can be plotted: named quantities over the frames. */
import { Vector3 } from "three";
import type { Scene } from "./scene";
import { Recorded } from "./motion";
import { unpacked } from "./numbers";
import { world } from "./places";

export interface Quantity {
  readonly name: string;
  readonly unit: string;
  values(): Float32Array;
}

const KINDS = { velocity: "rate", acceleration: "acceleration" } as const;

/** Quantities by name: what the scene brings, the coordinates of points, and components of vectors. */
export function quantitiesOf(scene: Scene, motion: Recorded): ReadonlyMap<string, Quantity> {
  const found = new Map<string, Quantity>();
  const axes = scene.dimension === 2 ? ["x", "y"] : ["x", "y", "z"];
  const add = (name: string, unit: string, values: () => Float32Array) => {
    let known: Float32Array | null = null;
    found.set(name, { name, unit, values: () => (known ??= values()) });
  };
  for (const series of scene.series) add(series.name, series.unit, () => unpacked(series.values));
  for (const point of scene.points) {
    if (point.spot.body === 0) continue;
    axes.forEach((axis, k) => {
      add(`${point.name}.${axis}`, "m", () => {
        const at = new Vector3();
        return Float32Array.from(motion.times, (time) => world(motion.at(time), point.spot, at).getComponent(k));
      });
    });
  }
  for (const arrow of scene.arrows) {
    const width = arrow.values.shape[1] ?? 2;
    const kind = KINDS[arrow.kind as keyof typeof KINDS];
    axes.slice(0, width).forEach((axis, k) => {
      const name = kind === undefined ? `${arrow.name}.f${axis}` : `${arrow.name}.${axis}.${kind}`;
      add(name, arrow.unit, () => unpacked(arrow.values).filter((_, i) => i % width === k));
    });
    if (kind === undefined)
      add(`|${arrow.name}|`, arrow.unit, () => {
        const values = unpacked(arrow.values);
        return Float32Array.from({ length: values.length / width }, (_, i) => Math.hypot(...values.subarray(i * width, (i + 1) * width)));
      });
  }
  return found;
}

/** What is plotted at first, by units: what is wanted or, if nothing is, the energies and the first measures that move. */
export function firstPlots(quantities: ReadonlyMap<string, Quantity>, wanted: readonly string[]): string[][] {
  const known = wanted.filter((name) => quantities.has(name));
  const units = [...new Set(known.map((name) => quantities.get(name)!.unit))];
  if (known.length > 0) return units.map((unit) => known.filter((name) => quantities.get(name)!.unit === unit));
  const energies = ["kinetic", "potential", "energy"].filter((name) => quantities.has(name));
  const moving = [...quantities.values()].filter((x) => (x.unit === "rad" || x.unit === "m") && !x.name.startsWith("violation") && spread(x.values()) > 1e-9);
  const unit = moving[0]?.unit;
  const measures = moving.filter((x) => x.unit === unit).slice(0, 3).map((x) => x.name);
  return [measures, energies].filter((names) => names.length > 0);
}

function spread(values: Float32Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (const x of values) [low, high] = [Math.min(low, x), Math.max(high, x)];
  return high - low;
}
