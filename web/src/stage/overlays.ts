/** What can be shown beside the mechanism: traces, arrows, centres of mass, axes, gaps, names. */
import { AxesHelper, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Group, Line, LineBasicMaterial, type Object3D, Vector3 } from "three";
import type * as scenes from "../scene";
import { type Motion, type Poses, Recorded } from "../motion";
import { unpacked } from "../numbers";
import { attitude, origin, world } from "../places";
import type { Overlay, State } from "../store";
import { h } from "../dom";
import { type Paints, mesh } from "./drawn";
import { type Colors, colorOf } from "./theme";

const TAIL = 400;
const UP = new Vector3(0, 1, 0);
const a = new Vector3();
const b = new Vector3();

/** The path of a point, faint as a whole and strong where it came from last. */
export class Trace {
  readonly object = new Group();
  private readonly tail: Line;
  private readonly line: LineBasicMaterial;
  private readonly fading: BufferAttribute;
  private readonly places: BufferAttribute;
  private readonly path: Vector3[] = [];

  constructor(
    private readonly scene: scenes.Scene,
    readonly point: scenes.NamedPoint,
    private readonly motion: Motion,
  ) {
    this.line = new LineBasicMaterial({ transparent: true, opacity: 0.35, depthTest: scene.dimension === 3 });
    if (motion instanceof Recorded) {
      for (const time of motion.times) this.path.push(world(motion.at(time), point.spot).clone());
      const whole = new Line(new BufferGeometry().setFromPoints(this.path), this.line);
      whole.renderOrder = 25;
      this.object.add(whole);
    }
    const geometry = new BufferGeometry();
    this.places = new BufferAttribute(new Float32Array(3 * TAIL), 3);
    this.fading = new BufferAttribute(new Float32Array(4 * TAIL), 4);
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("color", this.fading);
    this.tail = new Line(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthTest: scene.dimension === 3 }));
    this.tail.renderOrder = 25.5;
    this.tail.frustumCulled = false;
    this.object.add(this.tail);
  }

  recolor(colors: Colors): void {
    const color = colorOf(colors, this.scene.bodies[this.point.spot.body]!.color);
    this.line.color.copy(color);
    for (let k = 0; k < TAIL; k++) this.fading.setXYZW(k, color.r, color.g, color.b, (k / TAIL) ** 2);
    this.fading.needsUpdate = true;
  }

  update(time: number, span: number): void {
    for (let k = 0; k < TAIL; k++) {
      const when = Math.max(this.motion.begin, time - span * (1 - k / (TAIL - 1)));
      const at = world(this.motion.at(when), this.point.spot, a);
      this.places.setXYZ(k, at.x, at.y, at.z);
    }
    this.places.needsUpdate = true;
  }
}

/** Velocities, accelerations or reactions as arrows, all of a kind to one scale. */
export class Arrows {
  readonly object = new Group();
  private readonly arrows: { values: Float32Array; width: number; shape: Group; shaft: Object3D; tip: Object3D; spot: scenes.Spot }[] = [];
  private readonly scale: number = 1;

  constructor(scene: scenes.Scene, readonly kind: "velocity" | "acceleration" | "force" | "reaction", paints: Paints) {
    const color = paints.named(kind);
    let largest = 0;
    const d = scene.detail;
    for (const arrow of scene.arrows) {
      if (arrow.kind !== kind) continue;
      const values = unpacked(arrow.values);
      for (const x of values) largest = Math.max(largest, Math.abs(x));
      const shaft = mesh(new CylinderGeometry(0.16 * d, 0.16 * d, 1, 8), color, 28);
      const tip = mesh(new ConeGeometry(0.5 * d, 1.3 * d, 12), color, 28);
      const shape = new Group().add(shaft, tip);
      this.object.add(shape);
      this.arrows.push({ values, width: arrow.values.shape[1] ?? 2, shape, shaft, tip, spot: arrow.spot });
    }
    if (largest > 0) this.scale = (0.28 * scene.size) / largest;
  }

  update(poses: Poses, frame: number, part: number, size: number): void {
    for (const { values, width, shape, shaft, tip, spot } of this.arrows) {
      const component = (k: number) => {
        const here = values[frame * width + k] ?? 0;
        const next = values[(frame + 1) * width + k] ?? here;
        return here + part * (next - here);
      };
      b.set(component(0), component(1), width > 2 ? component(2) : 0).multiplyScalar(this.scale);
      const length = b.length();
      shape.visible = length > 0.02 * size;
      if (!shape.visible) continue;
      world(poses, spot, shape.position);
      shape.quaternion.setFromUnitVectors(UP, b.divideScalar(length));
      shaft.scale.y = length;
      shaft.position.y = length / 2;
      tip.position.y = length;
    }
  }
}

/** The axes of every body. */
export class Frames {
  readonly object = new Group();

  constructor(private readonly scene: scenes.Scene) {
    for (const _ of scene.bodies) {
      const axes = new AxesHelper(4 * scene.detail);
      axes.renderOrder = 29;
      axes.material = Object.assign(axes.material, { depthTest: false });
      if (scene.dimension === 2) axes.geometry.setDrawRange(0, 4);
      this.object.add(axes);
    }
  }

  update(poses: Poses): void {
    this.scene.bodies.forEach((_, body) => {
      const axes = this.object.children[body]!;
      origin(poses, body, axes.position);
      attitude(poses, body, axes.quaternion);
    });
  }
}

/** How far joints whose points should meet are open, magnified so that the largest can be seen. */
export class Gaps {
  readonly object = new Group();
  private readonly pairs: { a: scenes.Spot; b: scenes.Spot; shape: Object3D }[] = [];

  constructor(
    private readonly scene: scenes.Scene,
    paints: Paints,
  ) {
    const color = paints.named("gap");
    for (const { meets } of scene.symbols) {
      if (meets === null) continue;
      const shape = mesh(new CylinderGeometry(0.3 * scene.detail, 0.3 * scene.detail, 1, 10), color, 30);
      this.object.add(shape);
      this.pairs.push({ a: meets[0], b: meets[1], shape });
    }
  }

  /** The largest gap, m. */
  update(poses: Poses): number {
    let largest = 0;
    for (const pair of this.pairs) largest = Math.max(largest, world(poses, pair.a, a).distanceTo(world(poses, pair.b, b)));
    // positions are in single precision: what is smaller cannot be shown
    const noise = 1e-6 * this.scene.size;
    const factor = largest > noise ? (2.5 * this.scene.detail) / largest : 0;
    for (const { a: one, b: other, shape } of this.pairs) {
      world(poses, one, a);
      world(poses, other, b).sub(a);
      const length = b.length() * factor;
      shape.visible = length > 0.05 * this.scene.detail;
      shape.position.copy(a).addScaledVector(b, factor / 2);
      shape.scale.y = Math.max(length, 1e-9);
      if (length > 0) shape.quaternion.setFromUnitVectors(UP, b.normalize());
    }
    return largest > noise ? largest : 0;
  }
}

/** The names of points, as text above the picture; points at the same place share a label. */
export class Names {
  readonly element = h("div", { hidden: true, class: "names", "aria-hidden": "true" });
  private readonly labels: { spot: scenes.Spot; label: HTMLElement }[] = [];

  constructor(scene: scenes.Scene, poses: Poses) {
    const places: { at: Vector3; names: string[]; spot: scenes.Spot }[] = [];
    for (const point of scene.points) {
      if (point.helper) continue;
      const at = world(poses, point.spot);
      const known = places.find((place) => place.at.distanceTo(at) < 1e-5 * scene.size);
      if (known) known.names.push(point.name);
      else places.push({ at, names: [point.name], spot: point.spot });
    }
    for (const { names, spot } of places) {
      const moving = names.filter((name) => !name.startsWith("ground."));
      const label = h("span", {}, (moving.length > 0 ? moving : names)[0]!);
      this.element.append(label);
      this.labels.push({ spot, label });
    }
  }

  update(poses: Poses, project: (place: Vector3) => readonly [number, number]): void {
    for (const { spot, label } of this.labels) {
      const [x, y] = project(world(poses, spot, a));
      label.style.transform = `translate(${x + 8}px, ${y - 20}px)`;
    }
  }
}

export function shown(state: Readonly<State>, overlay: Overlay): boolean {
  return state.overlays.has(overlay);
}
