/** Elements, made in one line. Text is always text: nothing here reads HTML. */

type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

function filled<E extends Element>(found: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") found.addEventListener(name, value as (event: Event) => void);
    else if (value === true) found.setAttribute(name, "");
    else if (value !== false) found.setAttribute(name, String(value));
  }
  found.append(...children.filter((child): child is Node | string => child !== null));
  return found;
}

/** An HTML element; functions among the attributes are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A text in which code stands between backticks. */
export function worded(text: string): Child[] {
  return text.split("`").map((part, k) => (k % 2 === 0 ? part : h("code", {}, part)));
}
