/** Frames with mechanisms: a picture until the mechanism moves, and a height that follows what they show. */
import { h } from "../dom";

/** Rem between which the height of a frame beside its panel of numbers stays; on phones it is as high as its content. */
const [LEAST, MOST] = [34, 46];

const MARGIN = 12;

const PACE = 50;

export function frames(): void {
  for (const frame of document.querySelectorAll<HTMLIFrameElement>("iframe.viewer")) {
    const picture = frame.dataset["picture"];
    const waiting = h("div", { class: "waiting", role: "status" }, picture ? h("img", { src: picture, alt: "" }) : null, h("p", {}, "The mechanism is being prepared …"), h("progress", { "aria-label": "Preparing the mechanism" }));
    frame.after(waiting);
    frame.addEventListener("load", () => ready(frame, waiting));
    const inside = shown(frame);
    if (inside === null || (inside.URL !== "about:blank" && inside.readyState === "complete")) ready(frame, waiting);
  }
}

/** The document of a frame; null if the browser does not let it be seen, as for pages that are opened as files. */
function shown(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}

/** Takes the picture away once the mechanism is drawn, or a sentence says why it is not. */
function ready(frame: HTMLIFrameElement, waiting: HTMLElement): void {
  const inside = shown(frame);
  if (inside?.getElementById("grashof") && !inside.querySelector(".canvas[data-time], [role=alert]")) {
    setTimeout(() => ready(frame, waiting), PACE);
    return;
  }
  waiting.remove();
  const [picture, side] = [inside?.querySelector(".picture"), inside?.querySelector(".side")];
  if (!picture || !side) return;
  const fit = () => {
    const narrow = frame.clientWidth <= 760;
    const parts = [...(narrow ? [picture] : []), ...side.children];
    const content = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) + inside!.documentElement.scrollTop + MARGIN;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const height = Math.ceil(narrow ? content : Math.min(Math.max(content, LEAST * rem), MOST * rem));
    if (Math.abs(frame.clientHeight - height) > 2) frame.style.height = `${height}px`;
  };
  const observer = new ResizeObserver(fit);
  for (const part of [picture, side, ...side.children]) observer.observe(part);
}
