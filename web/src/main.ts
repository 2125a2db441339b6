/** Shows what a page holds: its data is JSON, compressed, in the element `grashof-data`. */
import "./style.css";
import { h } from "./dom";
import { bytes } from "./numbers";
import type { Scene } from "./scene";
import { type Viewer, viewer } from "./viewer";

/** What a page can hold. */
type Content = { readonly kind: "motion"; readonly scene: Scene };

declare global {
  interface Window {
    /** What is shown, for those who want to steer it by script. */
    grashof?: { readonly viewers: Viewer[] };
  }
}

async function unzipped(text: string): Promise<string> {
  const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

async function show(): Promise<void> {
  const place = document.getElementById("grashof")!;
  const viewers: Viewer[] = [];
  window.grashof = { viewers };
  try {
    const content = JSON.parse(await unzipped(document.getElementById("grashof-data")!.textContent!.trim())) as Content;
    const found = viewer(content.scene);
    viewers.push(found);
    place.replaceChildren(found.element);
  } catch (problem) {
    place.replaceChildren(h("p", { role: "alert" }, `This page cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}`));
    throw problem;
  }
}

void show();
