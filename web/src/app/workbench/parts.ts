/** The parts of a sketch as lists: all that the mouse can do, for the keyboard, and with exact numbers. */
import { h } from "../../dom";
import type { Bench } from "./bench";
import { KINDS, TYPES, fieldsOf, isType, kindOf, withDevice } from "./devices/kinds";
import { changed, withSpeed } from "./edits";
import { type Device, type Link, type Part, type Point, type Sketch, type Force, type Slider, type Slot, type Spring, type Torque, renamed, withChanged, withGround, withLink, withMotor, withPart, withPoint, withSlider, withSpring, without } from "./sketch";

export function parts(bench: Bench): HTMLElement {
  const place = h("div", { class: "lists" });
  const draw = () => {
    const fresh = h("div", {}, ...lists(bench));
    // fields stay where they are as long as the same parts are there, so that nobody who writes into them is disturbed
    if (outline(fresh) === outline(place)) return refill(place, fresh);
    const focused = place.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["field"] : undefined;
    place.replaceChildren(...fresh.children);
    if (focused !== undefined) place.querySelector<HTMLElement>(`[data-field="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  };
  const mark = () => {
    const { selected } = bench.state;
    for (const row of place.querySelectorAll<HTMLElement>(".part")) row.classList.toggle("chosen", selected !== null && row.dataset["part"] === `${selected.kind} ${selected.name}`);
  };
  bench.listen((state, before) => {
    if (state.history.now.sketch !== before.history.now.sketch) draw();
    if (state.history !== before.history || state.selected !== before.selected) mark();
  });
  draw();
  return place;
}

/** Which fields there are, and the words around them. */
function outline(place: HTMLElement): string {
  return JSON.stringify([place.textContent, ...[...place.querySelectorAll<HTMLElement>("[data-field]")].map((found) => found.dataset["field"])]);
}

/** Takes over values, but for a field that is being written into. */
function refill(place: HTMLElement, fresh: HTMLElement): void {
  const now = [...fresh.querySelectorAll<HTMLInputElement>("[data-field]")];
  place.querySelectorAll<HTMLInputElement>("[data-field]").forEach((old, k) => {
    old.checked = now[k]!.checked;
    if (old !== document.activeElement || old.type === "checkbox") old.value = now[k]!.value;
  });
}

function lists(bench: Bench): readonly HTMLElement[] {
  const { sketch } = bench;
  const { row, name, number, tick } = fields(bench);
  const points = sketch.points.map((point) => {
    const part: Part = { kind: "point", name: point.name };
    const change = (more: Partial<Point>) => withChanged(bench.sketch, part, (found: Point) => ({ ...found, ...more }));
    return row(part, [
      name(part),
      number(part, "x", "x, m", point.x, (x) => change({ x })),
      number(part, "y", "y, m", point.y, (y) => change({ y })),
      tick(part, "ground", "ground", point.ground, (on) => withGround(bench.sketch, point.name, on)),
      tick(part, "traced", "trace", point.traced, (traced) => change({ traced })),
    ]);
  });
  const links = sketch.links.map((link) => {
    const part: Part = { kind: "link", name: link.name };
    const driven = sketch.motors.find((motor) => motor.link === link.name);
    return row(part, [
      name(part),
      h("span", { class: "of" }, link.points.join(" – ")),
      number(part, "mass", "mass, kg", link.mass, (mass) => withChanged(bench.sketch, part, (found: Link) => ({ ...found, mass }))),
      tick(part, "motor", "motor", driven !== undefined, () => withMotor(bench.sketch, link.name)),
      driven && (driven.law !== undefined || !driven.own?.law) ? h("label", {}, "speed, rad/s ", field(`motor ${link.name} speed`, driven.law ?? String(driven.speed), (text) => told(bench, withSpeed(bench, driven, Number.isFinite(Number(text)) ? `${text} rad/s` : text)))) : null,
    ]);
  });
  const sliders = sketch.sliders.map((slider) => {
    const part: Part = { kind: "slider", name: slider.point };
    return row(part, [h("span", { class: "of" }, slider.point), number(part, "angle", "direction, °", slider.angle, (angle) => withChanged(bench.sketch, part, (found: Slider) => ({ ...found, angle })))]);
  });
  const springs = sketch.springs.map((spring) => {
    const part: Part = { kind: "spring", name: spring.name };
    const change = (more: Partial<Spring>) => withChanged(bench.sketch, part, (found: Spring) => ({ ...found, ...more }));
    return row(part, [
      name(part),
      h("span", { class: "of" }, `${spring.a} – ${spring.b}`),
      number(part, "stiffness", "stiffness, N/m", spring.stiffness, (stiffness) => change({ stiffness })),
      number(part, "damping", "damping, N s/m", spring.damping, (damping) => change({ damping })),
    ]);
  });
  const slots = sketch.slots.map((slot) => {
    const part: Part = { kind: "slot", name: slot.name };
    return row(part, [name(part), h("span", { class: "of" }, `${slot.point} in ${slot.guide ?? "ground"}`), slot.own ? null : tick(part, "keeps", `${slot.rider} does not turn in it`, slot.keeps, (keeps) => withChanged(bench.sketch, part, (found: Slot) => ({ ...found, keeps })))]);
  });
  const loads = [
    ...sketch.forces.map((force) => {
      const part: Part = { kind: "force", name: force.name };
      const change = (more: Partial<Force>) => withChanged(bench.sketch, part, (found: Force) => ({ ...found, ...more }));
      return row(part, [name(part), h("span", { class: "of" }, `at ${force.point}`), number(part, "x", "x, N", force.x, (x) => change({ x })), number(part, "y", "y, N", force.y, (y) => change({ y }))]);
    }),
    ...sketch.torques.map((torque) => {
      const part: Part = { kind: "torque", name: torque.name };
      return row(part, [name(part), h("span", { class: "of" }, `on ${torque.link}`), number(part, "torque", "N m", torque.torque, (value) => withChanged(bench.sketch, part, (found: Torque) => ({ ...found, torque: value })))]);
    }),
  ];
  const devices = sketch.devices.map((device) => {
    const part: Part = { kind: "device", name: device.name };
    const fields = fieldsOf(device).filter(({ key }) => device.values[key] !== undefined).map((one) => {
      const value = device.values[one.key]!;
      const id = `device ${device.name} ${one.key}`;
      if (one.unit === "flag") return tick(part, one.key, one.label, value === true, (on) => withChanged(bench.sketch, part, (found: Device) => ({ ...found, values: { ...found.values, [one.key]: on } })));
      const unit = { length: ", m", angle: ", rad" }[one.unit as string] ?? "";
      return h("label", {}, `${one.label}${unit} `, field(id, String(value), (text) => told(bench, changed(bench, device, one, one.unit === "length" || one.unit === "angle" ? bare(text) : text))));
    });
    return row(part, [name(part), h("span", { class: "of" }, `${kindOf(device).name.toLowerCase()} of ${[...device.links, ...device.points].join(", ")}`), ...fields]);
  });
  const two = sketch.points.length >= 2;
  return [
    group("Points", points, adding(bench, "Add a point", ["x, m", "y, m"], ([x, y]) => withPoint(bench.sketch, Number(x) || 0, Number(y) || 0)[0])),
    group("Links", links, two ? adding(bench, "Add a link", ["its points, such as A B"], ([names]) => withLink(bench.sketch, known(bench.sketch, names!))) : null),
    group("Sliders", sliders, sketch.points.length > 0 ? adding(bench, "Add a slider", ["point", "direction, °"], ([name, angle]) => known(bench.sketch, name!).slice(0, 1).reduce((found, point) => withSlider(found, point, Number(angle) || 0), bench.sketch)) : null),
    ...(slots.length > 0 ? [group("Slots", slots, null)] : []),
    ...(loads.length > 0 || two ? [group("Forces and torques", loads, two ? adding(bench, "Add a force", ["point", "x, N", "y, N"], ([name, x, y]) => known(bench.sketch, name!).slice(0, 1).reduce((found, point) => withPart(found, "force", { point, x: Number(x) || 0, y: Number(y) || 0 }), bench.sketch)) : null)] : []),
    group("Springs and dampers", springs, two ? adding(bench, "Add a spring", ["two points, such as A B"], ([names]) => {
      const [a, b] = known(bench.sketch, names!);
      return a !== undefined && b !== undefined ? withSpring(bench.sketch, a, b, 100, 0) : bench.sketch;
    }) : null),
    ...(sketch.links.length > 0 ? [group("Gears, belts, cams, cylinders, stops, ropes, friction", devices, adding(bench, "Add one", [`one of ${TYPES.join(", ")}`, "its links and points, such as link 1, A"], ([type, names]) => withNamed(bench, type!.trim().toLowerCase(), names!)))] : []),
    group("Mechanism", [h("li", { class: "part" }, h("label", {}, "name ", field("whole name", sketch.name, (name) => bench.commit({ ...bench.sketch, name: name || bench.sketch.name })))), h("li", { class: "part" }, h("label", {}, "gravity, m/s² ", field("whole gravity", String(sketch.gravity), (value) => bench.commit({ ...bench.sketch, gravity: finite(value, bench.sketch.gravity) }))))], null),
  ];
}

/** A new device between links and points that are named. */
function withNamed({ sketch }: Bench, type: string, names: string): Sketch | string {
  const all = names.split(",").map((name) => name.trim());
  const [links, points] = [all.filter((name) => sketch.links.some((link) => link.name === name)), all.filter((name) => sketch.points.some((point) => point.name === name))];
  if (!isType(type)) return `Give one of ${TYPES.join(", ")}.`;
  const { takes } = KINDS[type];
  if (links.length + points.length !== takes.length) return `${KINDS[type].name}: name ${takes.map((what) => ({ link: "a link", point: "a point", end: "a point", either: "a link or a point" })[what]).join(" and ")}, separated by a comma.`;
  return withDevice(sketch, type, links, points);
}

/** Says why something was not taken, if it was not. */
const told = (bench: Bench, sentence: string | void): void => {
  if (sentence) bench.set({ remark: sentence });
};

/** A number without a unit, in SI; anything else as it was typed. */
const bare = (text: string): string | number => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

/** How rows and their fields are made. */
function fields(bench: Bench) {
  const row = (part: Part, content: readonly (HTMLElement | null)[]) => {
    const gone = h("button", { type: "button", class: "gone", "aria-label": `Delete ${part.kind} ${part.name}`, click: () => bench.commit(without(bench.sketch, part)) }, "×");
    return h("li", { class: "part", "data-part": `${part.kind} ${part.name}`, focusin: () => bench.set({ selected: part }) }, ...content, gone);
  };
  return {
    row,
    name: (part: Part) => bench.sketch.pins !== undefined ? h("span", { class: "of" }, part.name) : field(`${part.kind} ${part.name} name`, part.name, (name) => bench.commit(renamed(bench.sketch, part, name.trim()), { selected: { ...part, name: name.trim() } }), `Name of ${part.kind} ${part.name}`, "label"),
    number: (part: Part, key: string, label: string, value: number, change: (value: number) => Sketch) => h("label", {}, `${label} `, field(`${part.kind} ${part.name} ${key}`, String(value), (text) => bench.commit(change(finite(text, value))))),
    tick: (part: Part, key: string, label: string, on: boolean, change: (on: boolean) => Sketch) => {
      const box = h("input", { type: "checkbox", "data-field": `${part.kind} ${part.name} ${key}`, change: () => bench.commit(change(box.checked)) });
      box.checked = on;
      return h("label", {}, box, ` ${label}`);
    },
  };
}

function field(id: string, value: string, done: (value: string) => void, label = "", kind = "value"): HTMLInputElement {
  const found = h("input", { class: kind, "data-field": id, change: () => done(found.value), ...(label ? { "aria-label": label } : {}), ...(kind === "value" && id !== "whole name" ? { inputmode: "decimal" } : {}) });
  found.value = value;
  return found;
}

function group(title: string, items: readonly HTMLElement[], add: HTMLElement | null): HTMLElement {
  return h("section", { class: "group" }, h("h2", {}, title), items.length > 0 ? h("ul", {}, ...items) : null, add);
}

/** A line with fields, by which a part is added. */
function adding(bench: Bench, label: string, hints: readonly string[], make: (values: readonly string[]) => Sketch | string): HTMLElement {
  const fields = hints.map((hint) => h("input", { placeholder: hint, "aria-label": `${label}: ${hint}` }));
  const add = (event: Event) => {
    event.preventDefault();
    const made = make(fields.map((found) => found.value));
    if (typeof made === "string") bench.set({ remark: made });
    else if (made === bench.sketch) bench.set({ remark: `${label}: name points that are there.` });
    else bench.commit(made);
  };
  return h("form", { class: "add", submit: add }, ...fields, h("button", { type: "submit" }, label));
}

const known = (sketch: Sketch, names: string): readonly string[] => names.split(/[\s,–-]+/).filter((name) => sketch.points.some((point) => point.name === name));

const finite = (text: string, otherwise: number): number => (text.trim() !== "" && Number.isFinite(Number(text)) && Math.abs(Number(text)) <= 1e9 ? Number(text) : otherwise);
