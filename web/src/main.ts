/** Shows what a page holds: its data is JSON, compressed, in the element `grashof-data`. */
import "./style.css";
import "./report.css";
import { h } from "./dom";
import type { LiveData } from "./live/data";
import { bytes } from "./numbers";
import { reportOf } from "./report";
import type { MotionPage, Report, Scene } from "./scene";
import { liveViewer } from "./simulator/page";
import { type Viewer, viewer } from "./viewer";

/** A live mechanism: how it looks at its start, and what simulates it. */
interface Live {
  readonly kind: "live";
  readonly scene: Scene;
  readonly live: LiveData;
}

/** What a page can hold. */
type Content = MotionPage | Report | Live;

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

async function shown(content: Content, viewers: Viewer[]): Promise<HTMLElement> {
  if (content.kind === "report") return reportOf(content, viewers);
  const found = content.kind === "live" ? await liveViewer(content.scene, content.live) : viewer(content.scene);
  viewers.push(found);
  return found.element;
}

async function show(): Promise<void> {
  const place = document.getElementById("grashof")!;
  const viewers: Viewer[] = [];
  window.grashof = { viewers };
  try {
    const content = JSON.parse(await unzipped(document.getElementById("grashof-data")!.textContent!.trim())) as Content;
    place.replaceChildren(await shown(content, viewers));
  } catch (problem) {
    place.replaceChildren(h("p", { role: "alert" }, `This page cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}`));
    throw problem;
  }
}

void show();
