/** The mouse as a hand: it pulls at a point of a body with a spring, or turns the shaft of a motor. */
import { Quaternion, Vector3 } from "three";
import { h, s } from "../dom";
import { attitude, turned, world } from "../places";
import type { Spot } from "../scene";
import type { Stage } from "../stage/stage";
import type { Simulator } from "./simulator";

/** How quickly a pull swings, rad in a second of the clock. */
const PULL = 9;

/** A place on the axis about which a motor turns, and the axis in the axes of its body. */
type Axle = readonly [Spot, readonly [number, number, number]];

type Grip =
  | { readonly kind: "pull"; readonly body: number; readonly at: readonly [number, number, number] }
  | { readonly kind: "turn"; readonly body: number; readonly at: readonly [number, number, number]; readonly motor: number; readonly axle: Axle };

export function hand(stage: Stage, simulator: Simulator): HTMLElement {
  const line = s("line", { class: "pull" });
  const overlay = s("svg", { class: "hand", "aria-hidden": "true" }, line);
  let grip: Grip | null = null;
  let target: Vector3 | null = null;
  const place = (held: Grip) => world(stage.poses, { body: held.body, at: held.at });

  const show = () => {
    overlay.toggleAttribute("hidden", grip === null || target === null);
    if (grip === null || target === null) return;
    const [x1, y1] = stage.project(place(grip));
    const [x2, y2] = stage.project(target);
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
  };

  const pull = () => {
    if (grip === null || target === null) return;
    const stiffness = 4 * simulator.engine.mass * (PULL / simulator.pace) ** 2;
    simulator.engine.pull(grip.body - 1, [...grip.at], target.toArray(), stiffness);
  };

  /** Turns the motor by the angle between the point that is held and the mouse. */
  const turn = (held: Extract<Grip, { kind: "turn" }>) => {
    if (target === null) return;
    const [at, direction] = held.axle;
    const pivot = world(stage.poses, at);
    const axis = turned(stage.poses, at.body, direction).clone();
    const from = place(held).sub(pivot).projectOnPlane(axis);
    const to = target.clone().sub(pivot).projectOnPlane(axis);
    if (from.length() === 0 || to.length() === 0) return;
    const angle = Math.atan2(new Vector3().crossVectors(from, to).dot(axis), from.dot(to));
    const { engine } = simulator;
    const before = engine.poses();
    const outcome = engine.drive(held.motor, angle);
    // an angle may be counted the other way round
    if (outcome.ok && away(engine.poses(), held, target) > away(before, held, target)) simulator.looked(engine.drive(held.motor, -2 * angle));
    else simulator.looked(outcome);
  };

  stage.canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      const found = stage.hit(event);
      if (found === null || found.selection.kind !== "body" || found.selection.index === 0) return;
      const body = found.selection.index;
      const own = found.at.clone().sub(world(stage.poses, { body, at: [0, 0, 0] })).applyQuaternion(attitude(stage.poses, body, new Quaternion()).invert());
      const at = own.toArray();
      const driven = motorOf(stage, simulator, body);
      grip = driven === null ? { kind: "pull", body, at } : { kind: "turn", body, at, ...driven };
      stage.steerable = false;
      stage.canvas.setPointerCapture(event.pointerId);
      event.stopPropagation();
    },
    { capture: true },
  );
  stage.canvas.addEventListener("pointermove", (event) => {
    if (grip === null) return;
    target = stage.under(event, place(grip));
    if (grip.kind === "turn") turn(grip);
    else if (!simulator.playing) simulator.toggle();
    show();
  });
  const letGo = () => {
    if (grip === null) return;
    if (grip.kind === "pull" && target !== null) simulator.engine.pull(grip.body - 1, [...grip.at], null, 0);
    grip = target = null;
    stage.steerable = true;
    show();
  };
  stage.canvas.addEventListener("pointerup", letGo);
  stage.canvas.addEventListener("pointercancel", letGo);
  simulator.before = () => {
    if (grip?.kind === "pull") pull();
  };
  simulator.listen(show, () => undefined);
  show();
  return h("div", { class: "hand-box" }, overlay);
}

function away(poses: Float64Array, held: Grip, target: Vector3): number {
  return world(poses, { body: held.body, at: held.at }).distanceTo(target);
}

/** The motor that turns a body and can be moved, if there is one. */
function motorOf(stage: Stage, simulator: Simulator, body: number): { motor: number; axle: Axle } | null {
  for (const [motor, { name, unit }] of simulator.engine.motors.entries()) {
    const axle = stage.scene.symbols.find((symbol) => symbol.axle !== null && symbol.name === name)?.axle;
    if (unit === "rad" && axle && axle[0].body === body) return { motor, axle };
  }
  return null;
}
