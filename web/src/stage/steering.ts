/** The view by keys: Shift and arrows turn it in space and move it in the plane, + and − zoom. */
import { type OrthographicCamera, type PerspectiveCamera, Vector3 } from "three";

/** Radians, part of the picture, and factor of one press. */
const TURN = Math.PI / 12;
const SHIFT = 0.1;
const ZOOM = 1.2;

/** The view does not go over the poles, where up and down change sides; rad. */
const POLE = 0.05;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

type Camera = OrthographicCamera | PerspectiveCamera;

/** What the keys are, for screen readers. */
export const KEYS = { turn: "Shift and arrow keys turn the view, plus and minus zoom.", move: "Shift and arrow keys move the view, plus and minus zoom." };

/** Follows a key; whether it is one of these. The target is the place that the camera looks at. */
export function steered(event: KeyboardEvent, camera: Camera, target: Vector3, turns: boolean): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const arrow = event.shiftKey ? ARROWS[event.key] : undefined;
  if (arrow) (turns ? turned : moved)(camera, target, ...arrow);
  else if (event.key === "+" || event.key === "=") zoomed(camera, target, ZOOM);
  else if (event.key === "-") zoomed(camera, target, 1 / ZOOM);
  else return false;
  return true;
}

/** Turns the camera around its target: about the upright axis, and up or down. */
function turned(camera: Camera, target: Vector3, aside: number, up: number): void {
  const offset = camera.position.clone().sub(target);
  const pole = offset.angleTo(camera.up);
  const lowered = Math.min(Math.PI - POLE, Math.max(POLE, pole - up * TURN));
  const axis = new Vector3().crossVectors(camera.up, offset).normalize();
  offset.applyAxisAngle(axis, lowered - pole).applyAxisAngle(camera.up, aside * TURN);
  camera.position.copy(target).add(offset);
  camera.lookAt(target);
}

/** Moves camera and target by a part of what is seen. */
function moved(camera: Camera, target: Vector3, aside: number, up: number): void {
  const height = "top" in camera ? (camera.top - camera.bottom) / camera.zoom : 2 * camera.position.distanceTo(target) * Math.tan((camera.fov * Math.PI) / 360);
  const [right, above] = [new Vector3().setFromMatrixColumn(camera.matrix, 0), new Vector3().setFromMatrixColumn(camera.matrix, 1)];
  const step = right.multiplyScalar(aside * SHIFT * height).addScaledVector(above, up * SHIFT * height);
  camera.position.add(step);
  target.add(step);
}

function zoomed(camera: Camera, target: Vector3, factor: number): void {
  if ("top" in camera) {
    camera.zoom *= factor;
    camera.updateProjectionMatrix();
  } else camera.position.sub(target).divideScalar(factor).add(target);
}
