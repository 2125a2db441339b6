/** What a stage shows: objects that follow the poses, and their colours. */
import { type BufferGeometry, Color, Group, type Material, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, type Object3D, Vector3 } from "three";
import type { Poses } from "../motion";
import { attitude, world } from "../places";
import type { ShapeFrame, Scene } from "../scene";
import type { Selection } from "../store";
import { type Colors, type Tone, colorOf } from "./theme";

export interface Drawn {
  readonly object: Object3D;
  update(poses: Poses): void;
}

export type Shape = Scene["symbols"][number]["shapes"][number];

/** Draws the shapes of a scene. */
export interface Artist {
  /** Null for a shape of the other kind: solids on paper, drawings in space. */
  draw(shape: Shape, belongs: Selection | null): Drawn | null;
}

type Pick = (colors: Colors) => Color;
type Paint = MeshBasicMaterial | MeshStandardMaterial;

/** Materials whose colours follow the theme; things of the same colour share one. */
export class Paints {
  private readonly used = new Map<string, { material: Paint; pick: Pick }>();

  constructor(
    private colors: Colors,
    private readonly scene: Scene,
  ) {}

  /** A colour of a shape: that of a body, by its number, or one with a name; on paper the same whatever the light. */
  of(color: number | string, flat: boolean, tint = 1, opacity = 1): Paint {
    const pick: Pick = (colors) => (typeof color === "string" ? colors[color as Tone] : color === 0 ? colors.ground : colorOf(colors, this.scene.bodies[color]!.color));
    return this.known(`${color} ${tint} ${opacity}`, flat, (colors) => mixed(colors.background, pick(colors), tint), opacity);
  }

  /** One of the colours of the theme. */
  named(name: Tone): Paint {
    return this.known(`the ${name}`, this.scene.dimension === 2, (colors) => colors[name], 1);
  }

  recolor(colors: Colors): void {
    this.colors = colors;
    for (const { material, pick } of this.used.values()) material.color.copy(pick(colors));
  }

  dispose(): void {
    for (const { material } of this.used.values()) material.dispose();
  }

  private known(key: string, flat: boolean, pick: Pick, opacity: number): Paint {
    const known = this.used.get(key);
    if (known) return known.material;
    // all that is flat counts as transparent, so that only the order decides what covers what
    const material = flat
      ? new MeshBasicMaterial({ transparent: true, opacity, depthTest: false, depthWrite: false })
      : new MeshStandardMaterial({ roughness: 0.55, metalness: 0.08 });
    material.color.copy(pick(this.colors));
    this.used.set(key, { material, pick });
    return material;
  }
}

/** A colour on the way from one to another, as the numbers of sRGB go. */
function mixed(one: Color, other: Color, part: number): Color {
  return one.clone().convertLinearToSRGB().lerp(other.clone().convertLinearToSRGB(), part).convertSRGBToLinear();
}

/** A mesh that is drawn after those of lower order, and that tells what it belongs to when it is clicked. */
export function mesh(geometry: BufferGeometry, material: Material, order = 0, belongs: Selection | null = null): Mesh {
  const found = new Mesh(geometry, material);
  found.renderOrder = order;
  if (belongs !== null) found.userData["selection"] = belongs;
  return found;
}

const along = new Vector3();
const left = new Vector3();

/** Puts an object where a frame is. */
export function follow(object: Object3D, frame: ShapeFrame, poses: Poses): void {
  world(poses, frame.at, object.position);
  if (frame.towards === null) {
    attitude(poses, frame.body, object.quaternion);
    return;
  }
  world(poses, frame.towards, along).sub(object.position);
  const length = along.length();
  object.visible = length > 0;
  if (length === 0) return;
  along.divideScalar(length);
  left.set(-along.y, along.x, 0);
  if (left.length() < 1e-6) left.set(1, 0, 0);
  left.normalize();
  object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(along, left, new Vector3().crossVectors(along, left)));
  object.scale.x = frame.span > 0 ? length / frame.span : 1;
}

/** Parts that move with a frame. */
export function framed(frame: ShapeFrame, ...parts: Object3D[]): Drawn {
  const object = new Group().add(...parts);
  return { object, update: (poses) => follow(object, frame, poses) };
}

/** The axes of a body, in which places of that body are given. */
export function axesOf(body: number): ShapeFrame {
  return { at: { body, at: [0, 0, 0] }, body, towards: null, span: 0 };
}
