/** The gallery: mechanisms to begin with. */
import { h } from "../../dom";
import { ROOT, asked } from "./asking";
import type { Bench } from "./bench";

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly t_end: number;
  readonly trace: readonly string[];
}

const listed = () => asked<readonly Entry[]>("/api/examples");

/** A menu of them. */
export function examples(bench: Bench): HTMLElement {
  const menu = h("select", { "aria-label": "Open an example" }, h("option", { value: "" }, "Open an example …"));
  void listed().then((entries) => menu.append(...entries.map(({ name, title }) => h("option", { value: name }, title))), () => void (menu.hidden = true));
  menu.addEventListener("change", () => {
    const name = menu.value;
    menu.value = "";
    void openExample(bench, name).catch((problem: Error) => bench.set({ remark: problem.message }));
  });
  return menu;
}

/** Opens one by its name. */
export async function openExample(bench: Bench, name: string): Promise<void> {
  const entry = (await listed()).find((found) => found.name === name);
  const answer = entry && (await fetch(`${ROOT}/gallery/${encodeURIComponent(name)}/text`));
  if (!answer?.ok) throw new Error("There is no such mechanism in the gallery.");
  bench.open(null, await answer.text(), entry!.trace);
  bench.set({ seconds: entry!.t_end });
}
