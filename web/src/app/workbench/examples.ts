/** The gallery: mechanisms to begin with. */
import { h } from "../../dom";
import { ROOT, SERVER, asked } from "./asking";
import type { Bench } from "./bench";
import type { Sketch } from "./sketch";
import { TEMPLATES } from "./templates";

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly t_end: number;
  readonly trace: readonly string[];
}

/** One with what the server would say about it: pages without a server bring these. */
interface Brought extends Entry {
  readonly text: string;
  readonly sketch: Sketch;
  readonly kept: string;
  readonly mobility: string;
}

const brought = (): readonly Brought[] => JSON.parse(document.getElementById("examples")?.textContent ?? "[]") as readonly Brought[];

const listed = (): Promise<readonly Entry[]> => (SERVER ? asked<readonly Entry[]>("/api/examples") : Promise.resolve(brought()));

/** A menu of them. */
export function examples(bench: Bench, fit: () => void): HTMLElement {
  const own = h("optgroup", { label: "Templates" }, ...Object.keys(TEMPLATES).map((name) => h("option", { value: `template ${name}` }, name)));
  const menu = h("select", { "aria-label": "Open an example" }, h("option", { value: "" }, "Open an example …"), own);
  void listed().then((entries) => menu.append(h("optgroup", { label: "Gallery" }, ...entries.map(({ name, title }) => h("option", { value: name }, title)))), () => undefined);
  menu.addEventListener("change", () => {
    const name = menu.value;
    menu.value = "";
    const template = TEMPLATES[name.replace("template ", "")];
    if (template) {
      bench.open(template(), null);
      return fit();
    }
    void openExample(bench, name).catch((problem: Error) => bench.set({ remark: problem.message }));
  });
  return menu;
}

/** Opens one by its name. */
export async function openExample(bench: Bench, name: string): Promise<void> {
  if (!SERVER) return openBrought(bench, brought().find((found) => found.name === name));
  const entry = (await listed()).find((found) => found.name === name);
  const answer = entry && (await fetch(`${ROOT}/gallery/${encodeURIComponent(name)}/text`));
  if (!answer?.ok) throw new Error("There is no such mechanism in the gallery.");
  bench.open(null, await answer.text(), entry!.trace);
  bench.set({ seconds: entry!.t_end });
}

function openBrought(bench: Bench, found: Brought | undefined): void {
  if (found === undefined) throw new Error("There is no such mechanism in the plane in the gallery.");
  const { text, sketch, kept, mobility, trace, t_end } = found;
  bench.open(null, text, trace);
  bench.adopt(text, sketch, kept);
  bench.set({ seconds: t_end, answer: { state: "good", words: mobility, scene: null } });
}
