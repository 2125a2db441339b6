/** The scene with other numbers: points and centres of mass are elsewhere in the axes of their bodies. */
import type { Body, Scene, Spot } from "../scene";

type Place = readonly [number, number, number];
type Symbol = Scene["symbols"][number];

/** `drawn` are all points of the scene in turn, then the centres of mass of all bodies but the ground. */
export function redrawn(scene: Scene, drawn: Float64Array): Scene {
  if (drawn.length === 0) return scene;
  const size = scene.dimension;
  const read = (k: number): Place => [drawn[size * k]!, drawn[size * k + 1]!, size === 3 ? drawn[size * k + 2]! : 0];
  const moved = new Map<string, Place>();
  const points = scene.points.map((point, k) => {
    const at = read(k);
    moved.set(key(point.spot.body, point.spot.at), at);
    return { ...point, spot: { ...point.spot, at } };
  });
  const place = (body: number, at: Place): Place => moved.get(key(body, at)) ?? at;
  const spot = (given: Spot): Spot => ({ body: given.body, at: place(given.body, given.at) });
  const bodies = scene.bodies.map((body, k): Body => {
    if (k === 0) return body;
    const center = body.center === null ? null : read(scene.points.length + k - 1);
    return { ...body, center, corners: body.corners.map((corner) => place(k, corner)) };
  });
  return { ...scene, points, bodies, symbols: scene.symbols.map((symbol) => resymbolled(symbol, spot)) };
}

function resymbolled(symbol: Symbol, spot: (given: Spot) => Spot): Symbol {
  const changed: Record<string, unknown> = { ...symbol };
  if ("a" in symbol) changed["a"] = spot(symbol.a);
  if ("b" in symbol && symbol.b !== null) changed["b"] = spot(symbol.b);
  if ("through" in symbol) changed["through"] = symbol.through.map(spot);
  return changed as unknown as Symbol;
}

function key(body: number, at: Place): string {
  return `${body} ${at.join(" ")}`;
}
