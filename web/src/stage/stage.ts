/** The picture: renderer, camera, mechanism and overlays. Draws when something has changed, and only while it can be seen. */
import {
  AmbientLight,
  DirectionalLight,
  GridHelper,
  Group,
  type Mesh,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene as Space,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type * as scenes from "../scene";
import { type Motion, type Poses, Recorded } from "../motion";
import { world } from "../places";
import type { Selection, State, Store } from "../store";
import { h } from "../dom";
import { type Drawn, Paints, type Shape } from "./drawn";
import { Arrows, Frames, Gaps, Names, Trace, shown } from "./overlays";
import { PaperArtist } from "./paper";
import { SolidArtist } from "./solid";
import { KEYS, steered } from "./steering";
import { COLORS } from "./theme";

const MARGIN = 1.04;

export class Stage {
  readonly element: HTMLElement;
  readonly canvas = h("canvas", { class: "canvas", tabindex: "0", role: "img" });
  private readonly space = new Space();
  private readonly paints: Paints;
  /** Those of bodies and symbols. */
  private inks: Paints;
  private readonly centers = new Group();
  private readonly drawn: Drawn[] = [];
  private readonly traces = new Map<string, Trace>();
  private readonly frames: Frames;
  private gaps: Gaps;
  private names: Names;
  private readonly arrows: readonly Arrows[];
  private readonly middle: Vector3;
  private renderer: WebGLRenderer | null = null;
  private camera: OrthographicCamera | PerspectiveCamera;
  private controls: OrbitControls | null = null;
  private pending = false;
  private visible = false;
  /** The poses that are shown. */
  poses: Poses;
  /** The largest gap between points that should meet, m; known while gaps are shown. */
  gap = 0;

  constructor(
    public scene: scenes.Scene,
    readonly motion: Motion,
    private readonly store: Store,
  ) {
    this.poses = motion.at(store.state.time);
    this.paints = new Paints(COLORS[store.state.theme], scene);
    this.inks = this.build(scene);
    this.frames = new Frames(scene);
    this.gaps = new Gaps(scene, this.paints);
    this.arrows = (["velocity", "acceleration", "force", "reaction"] as const).map((kind) => new Arrows(scene, kind, this.paints));
    this.names = new Names(scene, this.poses);
    this.space.add(this.centers, this.frames.object, this.gaps.object, ...this.arrows.map((arrows) => arrows.object));
    if (scene.dimension === 3 && !scene.view.flat) this.space.add(this.floor());
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(...scene.view.towards).addScaledVector(new Vector3(...scene.view.up), 0.9);
    this.space.add(new AmbientLight(0xffffff, 1.5), sun);
    const [right, up, forward] = this.viewed();
    const { lower, upper } = scene.view;
    this.middle = [right, up, forward].reduce((sum, axis, k) => sum.addScaledVector(axis!, (lower[k]! + upper[k]!) / 2), new Vector3());
    this.camera = this.newCamera(store.state);
    this.element = h("div", { class: "stage" }, this.canvas, this.names.element);
    this.describe();
    this.recolor(store.state);
    store.listen((state, before) => this.follow(state, before));
    new ResizeObserver(() => this.resize()).observe(this.element);
    new IntersectionObserver((entries) => this.appear(entries.some((entry) => entry.isIntersecting))).observe(this.element);
    this.canvas.addEventListener("click", (event) => this.pick(event));
    this.canvas.addEventListener("keydown", (event) => this.steer(event));
  }

  /** Draws bodies and symbols anew, as those of another scene of the same mechanism: with other lengths, say. */
  rebuild(scene: scenes.Scene): void {
    for (const { object } of this.drawn) {
      object.traverse((part) => (part as Partial<Mesh>).geometry?.dispose());
      object.removeFromParent();
    }
    this.drawn.length = 0;
    this.inks.dispose();
    this.scene = scene;
    this.inks = this.build(scene);
    for (const trace of this.traces.values()) this.space.remove(trace.object);
    this.traces.clear();
    this.space.remove(this.gaps.object);
    this.gaps = new Gaps(scene, this.inks);
    this.space.add(this.gaps.object);
    const names = new Names(scene, this.poses);
    this.names.element.replaceWith(names.element);
    this.names = names;
    this.draw();
  }

  private build(scene: scenes.Scene): Paints {
    const inks = new Paints(COLORS[this.store.state.theme], scene);
    const artist = scene.dimension === 2 ? new PaperArtist(scene, inks) : new SolidArtist(inks, scene.view);
    const add = (shapes: readonly Shape[], into: Object3D, belongs: Selection | null) => {
      for (const shape of shapes) {
        const found = artist.draw(shape, belongs);
        if (found === null) continue;
        this.drawn.push(found);
        into.add(found.object);
      }
    };
    scene.bodies.forEach((body, index) => {
      add(body.shapes, this.space, { kind: "body", index });
      add(body.mark, this.centers, null);
    });
    scene.symbols.forEach((symbol, index) => add(symbol.shapes, this.space, { kind: "symbol", index }));
    return inks;
  }

  /** Asks for a new picture. */
  draw(): void {
    if (this.pending || !this.visible) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.render();
    });
  }

  /** Moves the view so that all of the motion is seen. */
  fit(): void {
    this.controls?.dispose();
    this.camera = this.newCamera(this.store.state);
    this.resize();
    this.attach();
  }

  /** Where a place is in the picture, in pixels from its upper left corner. */
  project(place: Vector3): readonly [number, number] {
    const { clientWidth, clientHeight } = this.canvas;
    const seen = place.clone().project(this.camera);
    return [((seen.x + 1) / 2) * clientWidth, ((1 - seen.y) / 2) * clientHeight];
  }

  /** Where a point is in the picture, in pixels. */
  pixel(point: string): readonly [number, number] | null {
    const found = this.scene.points.find((candidate) => candidate.name === point);
    return found ? this.project(world(this.poses, found.spot)) : null;
  }

  /** The place under the mouse, in the plane through a point that faces the viewer. */
  under(event: { clientX: number; clientY: number }, through: Vector3): Vector3 | null {
    const ray = this.ray(event);
    const normal = this.camera.getWorldDirection(new Vector3());
    return ray.ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, through), new Vector3());
  }

  /** What is under the mouse, and where. */
  hit(event: { clientX: number; clientY: number }): { selection: Selection; at: Vector3 } | null {
    const hits = this.ray(event).intersectObjects(this.space.children, true);
    const planar = this.scene.dimension === 2;
    const found = hits.filter((hit) => hit.object.userData["selection"] !== undefined);
    if (planar) found.sort((one, other) => other.object.renderOrder - one.object.renderOrder);
    const first = found[0];
    return first ? { selection: first.object.userData["selection"] as Selection, at: first.point } : null;
  }

  /** While false, dragging the mouse does not turn the view. */
  set steerable(on: boolean) {
    if (this.controls) this.controls.enabled = on;
  }

  private steer(event: KeyboardEvent): void {
    if (!this.controls || !steered(event, this.camera, this.controls.target, this.scene.dimension === 3)) return;
    this.controls.update();
    this.draw();
    event.preventDefault();
    event.stopPropagation(); // arrows without Shift move the time
  }

  private ray(event: { clientX: number; clientY: number }): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  private pick(event: MouseEvent): void {
    this.store.set({ selected: this.hit(event)?.selection ?? null });
  }

  private follow(state: Readonly<State>, before: Readonly<State>): void {
    if (state.theme !== before.theme) this.recolor(state);
    if (state.projection !== before.projection) this.fit();
    this.draw();
  }

  private recolor(state: Readonly<State>): void {
    const colors = COLORS[state.theme];
    this.paints.recolor(colors);
    this.inks.recolor(colors);
    this.space.background = colors.background;
    for (const trace of this.traces.values()) trace.recolor(colors);
  }

  private render(): void {
    if (this.renderer === null) return;
    const { state } = this.store;
    this.poses = this.motion.at(state.time);
    const { poses } = this;
    for (const part of this.drawn) part.update(poses);
    this.overlay(state, poses);
    this.renderer.render(this.space, this.camera);
    if (shown(state, "names")) this.names.update(poses, (place) => this.project(place));
    this.canvas.dataset["time"] = String(state.time);
  }

  private overlay(state: Readonly<State>, poses: Poses): void {
    this.centers.visible = shown(state, "centers");
    this.frames.object.visible = shown(state, "frames");
    if (this.frames.object.visible) this.frames.update(poses);
    this.gaps.object.visible = shown(state, "gaps");
    if (this.gaps.object.visible) this.gap = this.gaps.update(poses);
    this.names.element.hidden = !shown(state, "names");
    const { frame, part } = this.motion instanceof Recorded ? this.motion.place(state.time) : { frame: 0, part: 0 };
    for (const arrows of this.arrows) {
      arrows.object.visible = shown(state, arrows.kind);
      if (arrows.object.visible) arrows.update(poses, frame, part, this.scene.detail);
    }
    for (const [name, trace] of this.traces) {
      if (state.traced.includes(name)) continue;
      this.space.remove(trace.object);
      this.traces.delete(name);
    }
    for (const name of state.traced) {
      let trace = this.traces.get(name);
      if (!trace) {
        const point = this.scene.points.find((candidate) => candidate.name === name);
        if (!point) continue;
        trace = new Trace(this.scene, point, this.motion);
        trace.recolor(COLORS[state.theme]);
        this.traces.set(name, trace);
        this.space.add(trace.object);
      }
      trace.update(state.time, (this.motion instanceof Recorded ? 0.12 : 1) * (this.motion.end - this.motion.begin));
    }
    if (state.traced.length > 0) this.poses = this.motion.at(state.time);
  }

  /** Gives back what it has of the graphics card; it draws no more. */
  dispose(): void {
    this.controls?.dispose();
    this.renderer?.dispose();
    this.renderer?.forceContextLoss();
    this.renderer = null;
  }

  /** Pictures take memory of the graphics card, of which a page with many of them has little: it is taken when something is seen. */
  private appear(visible: boolean): void {
    this.visible = visible;
    if (visible && this.renderer === null) {
      try {
        this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
      } catch {
        this.element.append(h("p", { class: "sorry", role: "alert" }, "This browser cannot show pictures in three dimensions (WebGL is switched off). Plots and numbers still work."));
        return;
      }
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      this.resize();
      this.attach();
    }
    this.draw();
  }

  private attach(): void {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.target.copy(this.middle);
    controls.enableDamping = false;
    controls.enableRotate = this.scene.dimension === 3;
    controls.screenSpacePanning = true;
    if (this.scene.dimension === 2) controls.mouseButtons.LEFT = 2; // drags the paper
    if (this.scene.dimension === 2) controls.touches.ONE = 1;
    controls.addEventListener("change", () => this.draw());
    controls.update();
    this.controls = controls;
    this.draw();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer?.setSize(clientWidth, clientHeight, false);
    const aspect = clientWidth / clientHeight;
    const { width, height } = this.extent();
    if (this.camera instanceof OrthographicCamera) {
      const half = (Math.max(height, width / aspect) / 2) * MARGIN;
      Object.assign(this.camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    } else this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.draw();
  }

  /** The axes of the first view: to the right, upwards and towards the viewer. */
  private viewed(): [Vector3, Vector3, Vector3] {
    const forward = new Vector3(...this.scene.view.towards);
    const right = new Vector3(...this.scene.view.up).cross(forward).normalize();
    return [right, forward.clone().cross(right), forward];
  }

  /** How large all that moves is, as seen at first. */
  private extent(): { width: number; height: number; depth: number } {
    const { lower, upper } = this.scene.view;
    const [width, height, depth] = lower.map((x, k) => upper[k]! - x + 2 * this.scene.room);
    return { width: width!, height: height!, depth: depth! };
  }

  private newCamera(state: Readonly<State>): OrthographicCamera | PerspectiveCamera {
    const { width, height, depth } = this.extent();
    const size = Math.max(width, height, depth);
    const towards = new Vector3(...this.scene.view.towards);
    let camera: OrthographicCamera | PerspectiveCamera;
    let distance = 4 * size;
    if (state.projection === "orthographic") camera = new OrthographicCamera(-1, 1, 1, -1, 0.01 * size, 20 * size);
    else {
      camera = new PerspectiveCamera(30, 1, 0.01 * size, 40 * size);
      distance = (0.5 * MARGIN * Math.max(width, height)) / Math.tan(Math.PI / 12) + depth / 2;
    }
    camera.up.set(...this.scene.view.up);
    camera.position.copy(this.middle).addScaledVector(towards, distance);
    camera.lookAt(this.middle);
    return camera;
  }

  /** A grid below the mechanism, by which one sees how it lies in space. */
  private floor(): GridHelper {
    const up = new Vector3(...this.scene.view.up);
    const corners = [this.scene.lower, this.scene.upper].map((corner) => new Vector3(...corner));
    const power = 10 ** Math.floor(Math.log10(this.scene.size / 8));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= this.scene.size / 8)!;
    const cells = 2 * Math.ceil((0.8 * this.scene.size) / step);
    const grid = new GridHelper(cells * step, cells, 0x8b949e, 0x8b949e);
    grid.material = Object.assign(grid.material, { transparent: true, opacity: 0.28 });
    grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
    const lowest = Math.min(...corners.map((corner) => corner.dot(up)));
    const middle = corners[0]!.clone().add(corners[1]!).multiplyScalar(0.5);
    grid.position.copy(middle).addScaledVector(up, lowest - middle.dot(up) - 3.2 * this.scene.detail);
    return grid;
  }

  private describe(): void {
    const { scene } = this;
    const bodies = scene.bodies.length - 1;
    const joints = scene.symbols.map((symbol) => symbol.facts.find(([name]) => name === "type")?.[1] ?? symbol.name);
    const kinds = [...new Set(joints)].map((kind) => `${joints.filter((other) => other === kind).length} ${kind}`);
    this.canvas.setAttribute("aria-label", `Drawing of the mechanism ${scene.name}: ${bodies} ${bodies === 1 ? "body" : "bodies"}; ${kinds.join(", ")}. ${scene.dimension === 3 ? KEYS.turn : KEYS.move}`);
  }
}
