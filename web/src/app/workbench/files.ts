/** What goes in and out of the workbench: files, pictures, tables, scripts, and mechanisms that the browser keeps. */
import { h } from "../../dom";
import { SERVER } from "./asking";
import type { Bench } from "./bench";
import { followRun } from "./job";
import { script } from "./python";
import { packed, unpacked } from "./share";
import { toml } from "./toml";

/** Where the browser keeps mechanisms: a name and a link for each. */
const KEPT = "grashof workbench";

/** A line at the end of a saved description that holds the drawing, so that it can be opened as it was drawn. */
const DRAWING = "# drawing: ";

/** Bytes of a file that is opened. */
const LARGEST = 1 << 20;

/** Properties that a picture takes from the page. */
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font-size", "font-family", "font-weight", "paint-order"];

/** Proposed sizes of links that are cut: their width, and the diameter of holes for their pins. */
const SIZES = "40 mm, 8 mm";

export const shared = ({ state, page, traced }: Bench) => ({ sketch: page.text === null ? page.sketch : null, text: page.text, traced: page.text === null ? [] : traced, seconds: state.seconds });

/** Opens a link, as the address of the page or a file holds it; false if it is none. */
export async function opened(bench: Bench, fragment: string): Promise<boolean> {
  const found = await unpacked(fragment);
  if (found === null) return false;
  bench.open(found.sketch, found.text, found.traced);
  bench.set({ seconds: found.seconds });
  return true;
}

/** The menus of files: what is saved in which form, and what is opened. */
export function files(bench: Bench, canvas: SVGSVGElement, table: () => string | null, fit: () => void): HTMLElement {
  const forms: Readonly<Record<string, () => Promise<void> | void>> = {
    "Description (TOML)": async () => save("mechanism.toml", bench.text + (bench.page.text === null ? `\n${DRAWING}${await packed(shared(bench))}\n` : ""), "application/toml"),
    "Python script": () => {
      if (bench.page.text !== null) throw new Error("The description may contain more than a script could say. Save it as TOML, and read it in Python by gr.load.");
      save("mechanism.py", script(bench.page.sketch, bench.state.seconds), "text/x-python");
    },
    "Picture (SVG)": () => save("mechanism.svg", picture(canvas), "image/svg+xml"),
    "Picture (PNG)": async () => download("mechanism.png", await painted(canvas)),
    "Table of the run (CSV)": () => {
      const found = table();
      if (found === null) throw new Error("There is no run yet: the table has the quantities of the run that is shown.");
      save("run.csv", found, "text/csv");
    },
    "Film of the run (GIF)": () => made("run.gif", "The film", [["form", "gif"]]),
    "Film of the run (MP4)": () => made("run.mp4", "The film", [["form", "mp4"]]),
    "Links to be cut (DXF)": () => cut([]),
    "Links and paths, assembled (DXF)": () => cut([["assembled", "1"]]),
    "In this browser": async () => {
      const { name } = bench.page.sketch;
      localStorage.setItem(KEPT, JSON.stringify({ ...kept(), [name]: await packed(shared(bench)) }));
      bench.set({ remark: `This browser keeps '${name}'. The name is that of the mechanism, in Parts.` });
      list();
    },
  };
  /** A file that the server makes. */
  const made = async (name: string, subject: string, wanted: readonly (readonly [string, string])[]) => {
    if (!SERVER) throw new Error(`${subject} is made by a server, which this page does not have; \`grashof serve\` is one.`);
    const address = await followRun(bench, wanted, () => undefined, (part, doing) => bench.set({ remark: `${subject}: ${Math.floor(100 * part)} %, ${doing}`, good: true }));
    if (address === null) throw new Error(`${subject} was cancelled.`);
    download(name, await (await fetch(address)).blob());
    bench.set({ remark: `${subject} is saved as ${name}.`, good: true });
  };
  const cut = async (wanted: readonly (readonly [string, string])[]) => {
    const sizes = window.prompt("Width of the links, and diameter of the holes for their pins:", SIZES);
    if (sizes === null) return;
    const [width = "", holes = "", ...more] = sizes.split(",").map((size) => size.trim());
    if (more.length > 0 || width === "" || holes === "") throw new Error(`'${sizes}' are not two lengths, such as ${SIZES}.`);
    await made("links.dxf", "The drawing of the links", [["form", "dxf"], ["width", width], ["holes", holes], ...wanted]);
  };
  const tell = (work: () => Promise<void> | void) => void Promise.resolve().then(work).catch((problem: Error) => bench.set({ remark: problem.message }));
  const saves = h("select", { "aria-label": "Save as", change: () => {
    const form = forms[saves.value];
    saves.value = "";
    if (form) tell(form);
  } }, h("option", { value: "" }, "Save as …"), ...Object.keys(forms).map((name) => h("option", { value: name }, name)));
  const chosen = h("input", { type: "file", accept: ".toml", hidden: true, "aria-label": "File to open", change: () => tell(async () => {
    const file = chosen.files?.[0];
    chosen.value = "";
    if (file === undefined) return;
    if (file.size > LARGEST) throw new Error(`${file.name} has more than ${LARGEST} bytes; a description is smaller.`);
    await read(bench, file.name, await file.text());
    fit();
  }) });
  const opens = h("select", { "aria-label": "Open", change: () => {
    const { value } = opens;
    opens.value = "";
    if (value === "file") return chosen.click();
    tell(async () => void ((await opened(bench, kept()[value.slice(5)] ?? "")) && fit()));
  } });
  const list = () => opens.replaceChildren(h("option", { value: "" }, "Open …"), h("option", { value: "file" }, "A file …"), h("optgroup", { label: "In this browser" }, ...Object.keys(kept()).map((name) => h("option", { value: `kept ${name}` }, name))));
  list();
  return h("div", { class: "group", role: "group", "aria-label": "Files" }, opens, saves, chosen);
}

/** Opens a description. One that was drawn here, and not changed since, is opened as a drawing. */
async function read(bench: Bench, name: string, content: string): Promise<void> {
  const at = content.lastIndexOf(DRAWING);
  const found = at < 0 ? null : await unpacked(content.slice(at + DRAWING.length).trim()).catch(() => null);
  if (found?.sketch && toml(found.sketch).trim() === content.slice(0, at).trim()) {
    bench.open(found.sketch, null);
    return bench.set({ seconds: found.seconds });
  }
  if (!SERVER) throw new Error(`${name} was not saved from a drawing, or was changed since. This page has no server that could read it; \`grashof serve\` can.`);
  bench.open(null, content);
}

function kept(): Readonly<Record<string, string>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Record<string, string>) : {};
  } catch {
    return {};
  }
}

const save = (name: string, content: string, type: string): void => download(name, new Blob([content], { type }));

function download(name: string, content: Blob): void {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The drawing as it is seen, without the grid, as a file of its own. */
function picture(canvas: SVGSVGElement): string {
  const copy = canvas.cloneNode(true) as SVGSVGElement;
  const [own, found] = [canvas.querySelectorAll<SVGElement>("*"), copy.querySelectorAll<SVGElement>("*")];
  own.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of LOOKS) {
      const value = style.getPropertyValue(name);
      if (value !== "") found[k]!.setAttribute(name, value);
    }
    found[k]!.removeAttribute("class");
  });
  const { clientWidth: width, clientHeight: height } = canvas;
  copy.replaceChildren(...[...copy.children].filter((_, k) => !canvas.children[k]!.matches(".grid, .preview")));
  for (const name of [...copy.getAttributeNames()]) copy.removeAttribute(name);
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** The same as pixels, two for each on the screen, on the paper of the page. */
async function painted(canvas: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture(canvas))}`;
  await image.decode();
  const paper = h("canvas", { width: 2 * canvas.clientWidth, height: 2 * canvas.clientHeight });
  const brush = paper.getContext("2d")!;
  brush.fillStyle = getComputedStyle(canvas).backgroundColor;
  brush.fillRect(0, 0, paper.width, paper.height);
  brush.drawImage(image, 0, 0, paper.width, paper.height);
  return new Promise((resolve, reject) => paper.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made.")))));
}
