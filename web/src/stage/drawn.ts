/** What a stage shows: an object, and how it follows the poses. */
import { Color, Mesh, MeshBasicMaterial, MeshStandardMaterial, type BufferGeometry, type Material, type Object3D } from "three";
import type { Poses } from "../motion";
import type { Selection } from "../store";
import type { Colors } from "./theme";

export interface Drawn {
  readonly object: Object3D;
  /** Moves it; bodies and what is fixed in them move by themselves. */
  update?(poses: Poses): void;
}

/** Materials whose colours follow the theme. */
export class Paints {
  private readonly used: { material: MeshBasicMaterial | MeshStandardMaterial; pick: (colors: Colors) => Color }[] = [];
  private colors: Colors;

  constructor(colors: Colors) {
    this.colors = colors;
  }

  /** For drawings in the plane: one colour, whatever the light. */
  flat(pick: (colors: Colors) => Color, opacity = 1): MeshBasicMaterial {
    const material = new MeshBasicMaterial({ transparent: opacity < 1, opacity, depthTest: false, depthWrite: false });
    return this.known(material, pick);
  }

  /** For solids in space. */
  solid(pick: (colors: Colors) => Color, opacity = 1): MeshStandardMaterial {
    return this.known(new MeshStandardMaterial({ roughness: 0.55, metalness: 0.08, transparent: opacity < 1, opacity }), pick);
  }

  recolor(colors: Colors): void {
    this.colors = colors;
    for (const { material, pick } of this.used) material.color.copy(pick(colors));
  }

  dispose(): void {
    for (const { material } of this.used) material.dispose();
  }

  private known<M extends MeshBasicMaterial | MeshStandardMaterial>(material: M, pick: (colors: Colors) => Color): M {
    material.color.copy(pick(this.colors));
    this.used.push({ material, pick });
    return material;
  }
}

/** A mesh that is drawn after those of lower order, and that tells what it belongs to when it is clicked. */
export function mesh(geometry: BufferGeometry, material: Material, order = 0, belongs: Selection | null = null): Mesh {
  const found = new Mesh(geometry, material);
  found.renderOrder = order;
  if (belongs !== null) found.userData["selection"] = belongs;
  return found;
}

/** A colour on the way from one to another. */
export function between(one: Color, other: Color, part: number): Color {
  return one.clone().lerp(other, part);
}
