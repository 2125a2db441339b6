/** A place of a linkage follows the pointer as far as the linkage allows, and where it does not there is a reason. */
import { beyond, kindOf } from "../devices/kinds";
import { type Link, linksAt, pointOf } from "../sketch";
import type { Grip, Linkage } from "./linkage";
import { dot, length } from "./rows";
import { type Standing, Walk } from "./walk";

/** Steps in one call: enough for a jump of the pointer across the sheet. */
const MOST = 400;

/** The most unknowns: the work grows with their cube. */
const LARGEST = 160;

/** How near the pointer is reached, as a part of the size of a link. */
const REACHED = 1e-6;

/** Damping of steps, as a part of the squared speeds of the held place. */
const DAMPING = 1e-8;

/** How often what is stretched swings in one call, nearer each time. */
const SWINGS = 5;

/** How near to a dead centre two freedoms may come: the area that their velocities span, as `spanned` gives it. */
const MARGIN = 0.01;

/** Part of a pull that must be along the path of a place for the linkage to hold it back. */
const ASIDE = 0.05;

/** The sine of an angle below which links are in line. */
const IN_LINE = 0.03;

/** Rows that carry less than this part of the largest load do not hold anything up. */
const LOADED = 0.05;

/** Why a linkage goes no further, and the point at which. */
export interface Stop {
  readonly sentence: string;
  readonly point: string | null;
}

export class Drag {
  private readonly walk: Walk;
  private standing: Standing;
  private readonly rows: readonly [Float64Array, Float64Array];
  private readonly links: readonly Link[];
  private readonly slides: boolean;
  /** Whether the last motion ended because of the time. */
  late = false;

  private constructor(
    readonly linkage: Linkage,
    private readonly grip: Grip,
    point: string | null,
    link: string,
    walk: Walk,
    begin: Standing,
  ) {
    this.walk = walk;
    this.standing = begin;
    this.rows = linkage.gripRows(grip);
    const { sketch } = linkage;
    this.links = point !== null ? linksAt(sketch, point) : sketch.links.filter((found) => found.name === link);
    this.slides = sketch.sliders.some((slider) => slider.point === point);
  }

  /** Holds a linkage as it is drawn, at a point or at a place of a link; a sentence if that cannot be. */
  static begin(linkage: Linkage, point: string | null, link: string | null, x: number, y: number): Drag | string {
    const { sketch } = linkage;
    const held = link !== null ? sketch.links.find((found) => found.name === link) : linksAt(sketch, point!)[0];
    const missing = beyond(sketch);
    if (missing.length > 0) return `This page does not follow ${missing.join(", ")}, so it cannot be moved by hand here. Run it.`;
    if (held === undefined) return `Point ${point} belongs to no link.`;
    if (point !== null && pointOf(sketch, point).ground) return `${point} is fixed to the ground. Take hold of a point or link that can move.`;
    if (linkage.unknowns > LARGEST) return `A sketch with more than ${LARGEST / 2} moving points cannot be moved by hand. Run it.`;
    const walk = new Walk(linkage);
    const begin = walk.begin();
    if (begin === null) return "The links do not fit together, so that nothing can be moved.";
    if (begin.tangent.length === 0) return "It cannot be moved: it has no degree of freedom.";
    const at = point === null ? { x, y } : linkage.place(point, begin.q);
    return new Drag(linkage, linkage.grip(held, begin.q, at.x, at.y), point, held.name, walk, begin);
  }

  get q(): Float64Array {
    return this.standing.q;
  }

  /** Freedoms of the linkage. */
  get freedoms(): number {
    return this.standing.tangent.length;
  }

  /** Moves towards a place, and says what stops it; null if nothing does, or if there was no time to get there (see `late`). */
  to(x: number, y: number, milliseconds = Infinity): Stop | null {
    const { walk, linkage } = this;
    const begun = performance.now();
    this.late = false;
    let stride = walk.longest;
    let stopped = false;
    let phase: "go" | "swing" = "go";
    let swings = 0;
    let limit: Stop | null = null;
    for (let count = 0; count < MOST; count++) {
      if (count > 0 && performance.now() - begun > milliseconds) {
        this.late = true;
        return null;
      }
      const [px, py] = linkage.held(this.grip, this.q);
      const to = [x - px, y - py] as const;
      if (Math.hypot(...to) < REACHED * linkage.size) return null;
      const swing = phase === "swing" ? this.aside(to, stride) : null;
      if (phase === "swing" && swing === null) phase = "go";
      const wanted = this.wanted(swing ?? to);
      const long = length(wanted);
      if (!(long > REACHED * linkage.size * 0.1)) break;
      const by = wanted.map((part) => part * Math.min(1, stride / long));
      const next = walk.step(this.standing, by);
      const turned = next !== null && this.reverses(next);
      const limited = next === null ? null : this.beyondLimit(next);
      if (limited !== null) limit = limited;
      if (next === null || turned || limited !== null || this.farther(next, x, y)) {
        stopped ||= next === null || turned;
        // what is stretched can still swing around
        if (turned && this.freedoms > 1 && phase === "go" && swings < SWINGS && this.hardest()[2]) [phase, stride, swings] = ["swing", walk.longest, swings + 1];
        else stride = Math.min(stride, long) / 2;
        if (stride < walk.shortest) break;
        continue;
      }
      this.standing = next;
      limit = null;
      stopped = swings > 0;
      stride = Math.min(walk.longest, stride * 2);
    }
    if (limit !== null) return limit;
    const [px, py] = linkage.held(this.grip, this.q);
    const [ux, uy, stands] = this.hardest();
    const against = ux * (x - px) + uy * (y - py);
    // a pointer beside the path of the place is not held back by anything
    if (!(stopped || stands) || Math.abs(against) < ASIDE * Math.hypot(x - px, y - py)) return null;
    return this.reason([against * ux, against * uy]);
  }

  /** The velocities of the held place along each direction of the tangent. */
  private speeds(standing: Standing): readonly (readonly [number, number])[] {
    return standing.tangent.map((direction) => [dot(this.rows[0], direction), dot(this.rows[1], direction)] as const);
  }

  /** The step that brings the held place nearest to where it should go: Gauss and Newton's, damped by Levenberg and Marquardt. */
  private wanted(aim: readonly [number, number]): Float64Array {
    const speeds = this.speeds(this.standing);
    // with z = Vᵀ w, (V Vᵀ + μ) w = aim has only two unknowns
    let [a, b, c] = squares(speeds);
    const added = DAMPING * (a + c) + 1e-14;
    [a, c] = [a + added, c + added];
    const det = a * c - b * b;
    const [w0, w1] = [(c * aim[0] - b * aim[1]) / det, (a * aim[1] - b * aim[0]) / det];
    const found = new Float64Array(this.linkage.unknowns);
    speeds.forEach(([u, v], k) => {
      const part = u * w0 + v * w1;
      this.standing.tangent[k]!.forEach((x, i) => (found[i]! += part * x));
    });
    return found;
  }

  /** The part of an aim across the direction in which the linkage is stretched, a little inwards, as circles bend; null if hardly anything is left. */
  private aside(to: readonly [number, number], stride: number): readonly [number, number] | null {
    const [ux, uy] = this.hardest();
    const [out, across] = [ux * to[0] + uy * to[1], ux * to[1] - uy * to[0]];
    if (Math.abs(across) < 1e-3 * Math.abs(out)) return null;
    const { size } = this.linkage;
    const step = Math.sign(across) * Math.min(stride, Math.abs(across), (0.5 * Math.abs(across) * size) / Math.abs(out));
    const inwards = (-Math.sign(out) * step * step) / size;
    return [inwards * ux - step * uy, inwards * uy + step * ux];
  }

  /** A stop or a rope beyond whose limit a step goes, and farther than before. */
  private beyondLimit(next: Standing): Stop | null {
    const { sketch } = this.linkage;
    if (!sketch.devices.some((device) => kindOf(device).range)) return null;
    const [before, after] = [this.linkage.posed(this.q), this.linkage.posed(next.q)];
    for (const device of sketch.devices) {
      const { range } = kindOf(device);
      const [was, is] = [range?.(sketch, before, device), range?.(sketch, after, device)];
      if (!was || !is) continue;
      const over = (value: number) => Math.max(value - is.upper, is.lower - value);
      if (over(is.value) > 1e-9 && over(is.value) > over(was.value)) return { sentence: `${device.name} stops it here.`, point: is.point };
    }
    return null;
  }

  private farther(next: Standing, x: number, y: number): boolean {
    const away = (q: Float64Array) => {
      const [px, py] = this.linkage.held(this.grip, q);
      return Math.hypot(x - px, y - py);
    };
    return away(next.q) > away(this.q) * (1 + 1e-9);
  }

  /** Whether a step goes beyond a dead centre of what is held, where it would go back on another way. */
  private reverses(next: Standing): boolean {
    if (next.tangent.length !== this.standing.tangent.length) return false;
    const [now, later] = [this.speeds(this.standing), this.speeds(next)];
    if (now.length > 1) {
      const [area, left] = [spanned(now), spanned(later)];
      // a margin, so that what is stretched can still swing around
      return left * area < 0 || (Math.abs(left) < MARGIN && Math.abs(left) < Math.abs(area));
    }
    if (now.length === 0) return false;
    const [one, other] = [this.standing.tangent[0]!, next.tangent[0]!];
    const sense = dot(one, other) < 0 ? -1 : 1;
    const back = (i: number, j: number) => sense * (at(one, i) * at(other, i) + at(one, j) * at(other, j)) < 0;
    const at = (vector: Float64Array, i: number) => (i < 0 ? 0 : vector[i]!);
    if (this.slides && sense * (now[0]![0] * later[0]![0] + now[0]![1] * later[0]![1]) < 0) return true;
    // at a cusp of its path a point turns back, too, but the links at it turn on
    return this.links.some((link) => this.moving(link).length > 0 && this.moving(link).every((i) => back(i, i + 1)));
  }

  /** Numbers of the unknowns of a link's points, that of x. */
  private moving(link: Link): readonly number[] {
    return link.points.map((name) => this.linkage.unknown[this.linkage.coordinate(name)!]!).filter((i) => i >= 0);
  }

  /** The direction in which the held place moves least, of those in which it can move at all, and whether it stands still in that direction. */
  private hardest(): readonly [number, number, boolean] {
    const speeds = this.speeds(this.standing);
    const [a, b, c] = squares(speeds);
    const [mean, spread] = [(a + c) / 2, Math.hypot((a - c) / 2, b)];
    // eigenvectors of V Vᵀ: the larger of a single freedom, the smaller of several
    const turn = 0.5 * Math.atan2(2 * b, a - c) + (speeds.length > 1 ? Math.PI / 2 : 0);
    return [Math.cos(turn), Math.sin(turn), speeds.length > 1 ? mean - spread < 8 * MARGIN ** 2 * mean : a + c < 1e-8];
  }

  /** What holds the place back against a pull. */
  private reason(pull: readonly [number, number]): Stop {
    const { linkage, q } = this;
    const force = this.rows[0].map((x, i) => x * pull[0] + this.rows[1][i]! * pull[1]);
    const loads = this.standing.span.factors(force);
    const most = loads.reduce((found, x) => Math.max(found, Math.abs(x)), 0);
    const owners = linkage.owners();
    const loaded = new Set(owners.filter((_, i) => Math.abs(loads[i]!) > LOADED * most).map(({ name }) => name));
    const { sketch } = linkage;
    const joints = (link: Link) => link.points.filter((name) => linksAt(sketch, name).length > 1 || pointOf(sketch, name).ground || sketch.sliders.some((slider) => slider.point === name) || name === this.grip.a || name === this.grip.b);
    for (const point of sketch.points) {
      if (point.ground) continue;
      const links = linksAt(sketch, point.name).filter((link) => loaded.has(link.name));
      for (const [k, one] of links.entries())
        for (const other of links.slice(k + 1))
          for (const a of joints(one))
            for (const b of joints(other)) {
              if (a === b || a === point.name || b === point.name) continue;
              const line = inLine(linkage.place(a, q), linkage.place(point.name, q), linkage.place(b, q));
              if (line !== null) return { sentence: `Dead centre at ${point.name}: ${one.name} and ${other.name} are ${line} in line (${a}, ${point.name}, ${b}).`, point: point.name };
            }
      const slider = sketch.sliders.find((found) => found.point === point.name && loaded.has(found.point));
      if (slider === undefined) continue;
      const turn = (slider.angle * Math.PI) / 180;
      for (const one of links)
        for (const a of joints(one)) {
          if (a === point.name) continue;
          const [from, to] = [linkage.place(a, q), linkage.place(point.name, q)];
          const cosine = ((to.x - from.x) * Math.cos(turn) + (to.y - from.y) * Math.sin(turn)) / Math.hypot(to.x - from.x, to.y - from.y);
          if (Math.abs(cosine) < IN_LINE) return { sentence: `Dead centre at ${point.name}: ${one.name} stands at a right angle to the line of the slider.`, point: point.name };
        }
    }
    const worst = loads.findIndex((x) => Math.abs(x) === most);
    const { owner, name } = owners[worst]!;
    if (owner === "slider") return { sentence: `The slider at ${name} stops it here.`, point: name };
    if (owner === "gear") return { sentence: `${name} stops it here.`, point: null };
    if (owner === "slot") return { sentence: `${name} stops it here.`, point: sketch.slots.find((slot) => slot.name === name)?.point ?? null };
    return { sentence: `${name} stops it here: it would have to be ${loads[worst]! > 0 ? "longer" : "shorter"}.`, point: null };
  }
}

/** The area that velocities span, as a part of the sum of their squares; that of two has a sign. */
function spanned(speeds: readonly (readonly [number, number])[]): number {
  const [a, b, c] = squares(speeds);
  if (speeds.length > 2) return Math.sqrt(Math.max(0, a * c - b * b)) / (a + c || 1);
  const [one, other] = speeds;
  return (one![0] * other![1] - one![1] * other![0]) / (a + c || 1);
}

/** Σ u², Σ u v and Σ v² of velocities (u, v). */
function squares(speeds: readonly (readonly [number, number])[]): readonly [number, number, number] {
  let [a, b, c] = [0, 0, 0];
  for (const [u, v] of speeds) [a, b, c] = [a + u * u, b + u * v, c + v * v];
  return [a, b, c];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Whether three places are in line: stretched, folded, or neither. */
function inLine(a: Place, b: Place, c: Place): "stretched" | "folded" | null {
  const [ux, uy, vx, vy] = [a.x - b.x, a.y - b.y, c.x - b.x, c.y - b.y];
  const size = Math.hypot(ux, uy) * Math.hypot(vx, vy);
  if (size === 0 || Math.abs(ux * vy - uy * vx) > IN_LINE * size) return null;
  return ux * vx + uy * vy < 0 ? "stretched" : "folded";
}
