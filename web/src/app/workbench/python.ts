/** A drawn sketch as a Python script that builds and runs the same mechanism. */
import { kindOf } from "./devices/kinds";
import { quoted } from "./patch";
import { reference } from "./references";
import type { Sketch } from "./sketch";
import { type Fields, tables } from "./toml";

/** A text as Python writes it: JSON escapes the same characters. */
const text = (value: string): string => JSON.stringify(value);

/** A value of a table: TOML and Python write numbers and texts alike, and lists of numbers are tuples there. */
const value = (found: string): string => found.replace(/^\[/, "(").replace(/\]$/, ")");

const fields = (found: ReadonlyMap<string, string>): string => `{${[...found].map(([name, place]) => `${text(name)}: ${value(place)}`).join(", ")}}`;

/** Keys of a table that are arguments of the same name. */
const given = (found: Fields, ...names: readonly string[]): readonly string[] => names.flatMap((name) => {
  const known = found.get(name);
  return known === undefined ? [] : [`${name}=${typeof known === "string" ? value(known) : fields(known)}`];
});

/** A reference such as "link 1.start" as an expression. */
function point(reference: string): string {
  const whole = JSON.parse(reference) as string;
  const cut = whole.indexOf(".");
  return `body[${text(whole.slice(0, cut))}].point(${text(whole.slice(cut + 1))})`;
}

/** A line of a body through a point, in a direction in the axes of the body. */
function line(reference: string, axis: string): string {
  return `line(${point(reference)}, ${value(axis)})`;
}

export function script(sketch: Sketch, seconds: number): string {
  const { top, ground, lists, guesses } = tables(sketch);
  const str = (found: Fields, name: string) => found.get(name) as string;
  const call = (method: string, ...parts: readonly string[]) => `m.${method}(${parts.join(", ")})`;
  const bodies = [...lists.bodies].map(([name, found]) => {
    const guess = guesses.get(name);
    const bar = str(found, "type") === '"bar"';
    const made = bar ? call("bar", text(name), ...given(found, "length", "mass")) : call("body", text(name), ...given(found, "mass", "center", "inertia", "points"));
    return [`body[${text(name)}] = ${made}`, ...(guess ? [call("guess", `body[${text(name)}]`, str(guess, "position").replace("[", "(").replace("]", ")"), ...given(guess, "angle"))] : [])].join("\n");
  });
  const joints = [...lists.joints].map(([name, found]) => {
    const [type, a, b] = [str(found, "type"), str(found, "a"), str(found, "b")];
    const named = `name=${text(name)}`;
    if (type === '"revolute"') return call("revolute", point(a), point(b), named);
    const guide = line(a, str(found, "axis_a"));
    return type === '"slider"' ? call("slider", guide, line(b, str(found, "axis_b")), named) : call("pin_in_slot", guide, point(b), named);
  });
  const devices = new Set(sketch.devices.map((device) => device.name));
  const forces = [...lists.forces].filter(([name]) => !devices.has(name)).map(([name, found]) => {
    const named = `name=${text(name)}`;
    if (str(found, "type") === '"force"') return call("force", point(str(found, "point")), value(str(found, "force")), named);
    if (str(found, "type") === '"torque"') return call("torque", str(found, "angle"), str(found, "torque"), named);
    return call("spring", point(str(found, "a")), point(str(found, "b")), ...given(found, "stiffness", "length", "damping"), named);
  });
  const motors = [...lists.motors].filter(([name]) => !devices.has(name)).map(([name, found]) => call("motor", str(found, "target"), ...given(found, "speed"), `name=${text(name)}`));
  const others = sketch.devices.flatMap((device) => kindOf(device).script(sketch, device, (name) => point(quoted(reference(sketch, name)!))));
  const slides = joints.some((made) => made.includes("line("));
  const gravity = top.get("gravity");
  return [
    "import grashof as gr",
    "",
    `m = gr.Mechanism(${top.get("name")}${gravity === undefined ? "" : `, gravity=${value(gravity)}`})`,
    'body = {"ground": m.ground}',
    ...[...ground].map(([name, place]) => `m.ground.at(${place.slice(1, -1)}, name=${text(name)})`),
    ...(slides ? ["", "", "def line(point, axis):", '    """The line of a body through one of its points, in a direction in its own axes."""', "    x, y = m.points_of(point.body)[point.name]", "    return body[point.body].line((x, y), (x + axis[0], y + axis[1]))", "", ""] : [""]),
    ...bodies, "", ...joints, ...forces, ...motors, ...others, "",
    `run = gr.simulate(m, ${seconds})`,
    "print(run.status)",
    "run.plot()",
    "",
  ].join("\n");
}
