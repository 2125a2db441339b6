/** The scene with other numbers: points and centres of mass are elsewhere in the axes of their bodies. */
import type { ShapeFrame, Scene, Spot } from "../scene";
import type { Shape } from "../stage/drawn";

type Place = readonly [number, number, number];

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
  scene.bodies.forEach(({ center }, k) => {
    if (k > 0 && center !== null) moved.set(key(k, center), read(scene.points.length + k - 1));
  });
  const spot = ({ body, at }: Spot): Spot => ({ body, at: moved.get(key(body, at)) ?? at });
  const framed = (frame: ShapeFrame): ShapeFrame => ({ ...frame, at: spot(frame.at), towards: frame.towards && spot(frame.towards) });
  const reshaped = (shape: Shape): Shape => (shape.kind === "solid" ? { ...shape, frame: framed(shape.frame) } : { ...shape, frame: shape.frame && framed(shape.frame), through: shape.through.map(spot) });
  const bodies = scene.bodies.map((body) => ({ ...body, shapes: body.shapes.map(reshaped), mark: body.mark.map(reshaped) }));
  const symbols = scene.symbols.map((symbol) => {
    const { meets, axle } = symbol;
    return { ...symbol, shapes: symbol.shapes.map(reshaped), meets: meets && ([spot(meets[0]), spot(meets[1])] as const), axle: axle && ([spot(axle[0]), axle[1]] as const) };
  });
  return { ...scene, points, bodies, symbols };
}

function key(body: number, at: Place): string {
  return `${body} ${at.join(" ")}`;
}
