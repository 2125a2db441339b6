/** Changes of single values in a text of TOML. */
import { type Entry, type List, type Node, type Table, parsed, unquoted } from "./tomltext";

/** A way from the root: keys, and names of tables in lists. */
export type Way = readonly (string | { readonly name: string })[];

/** A key as TOML writes it. */
export const key = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : quoted(name));

/** A text as TOML writes it; JSON escapes the same characters, but for one. */
export const quoted = (value: string): string => JSON.stringify(value).replace(/\x7f/g, "\\u007f");

/** The text with a value set, and with the tables on the way to it; unchanged if a table of a list is not there. */
export function withValue(text: string, way: Way, value: string): string {
  let now: Node = parsed(text);
  for (let k = 0; k < way.length; k++) {
    const step = way[k]!;
    if (typeof step !== "string") {
      const found: Node | null = now.kind === "list" ? named(text, now, step.name) : null;
      if (found === null) return text;
      now = found;
      continue;
    }
    if (now.kind !== "table") return text;
    const next: Node | undefined = now.entries.get(step)?.value;
    if (next === undefined) return withEntry(text, now, step, nested(way.slice(k + 1), value));
    now = next;
  }
  return now.kind === "list" && !now.inline ? text : text.slice(0, now.from) + value + text.slice(now.to);
}

/** The text without what is at the end of the way; unchanged if it is not there. */
export function withoutValue(text: string, way: Way): string {
  let now: Node = parsed(text);
  for (let k = 0; k < way.length; k++) {
    const step = way[k]!;
    const last = k === way.length - 1;
    if (typeof step !== "string") {
      const found: Node | null = now.kind === "list" ? named(text, now, step.name) : null;
      if (found === null) return text;
      if (last) return (now as List).inline ? cut(text, found.from, found.to) : text.slice(0, found.from) + text.slice(found.to);
      now = found;
      continue;
    }
    const entry: Entry | undefined = now.kind === "table" ? now.entries.get(step) : undefined;
    if (entry === undefined) return text;
    if (last) return (now as Table).inline ? cut(text, entry.from, entry.value.to) : lineCut(text, entry.from, entry.value.to);
    now = entry.value;
  }
  return text;
}

/** The text with another table in a list: lines of keys and values. */
export function withItem(text: string, list: string, lines: readonly string[]): string {
  const found = parsed(text).entries.get(list)?.value;
  if (found?.kind === "list" && found.inline) {
    const last = found.items[found.items.length - 1];
    const item = `{ ${lines.join(", ")} }`;
    if (last === undefined) return `${text.slice(0, found.from)}[${item}]${text.slice(found.to)}`;
    const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", last.from) + 1))![0];
    return `${text.slice(0, last.to)},\n${indent || "    "}${item}${text.slice(last.to)}`;
  }
  const block = `[[${list}]]\n${lines.join("\n")}\n`;
  const before = found?.kind === "list" ? found.items[found.items.length - 1]!.to : text.length;
  const [head, tail] = [text.slice(0, before).trimEnd(), text.slice(before)];
  return `${head}${head === "" ? "" : "\n\n"}${block}${tail === "" ? "" : `\n${tail}`}`;
}

/** The table of this name in a list. */
function named(text: string, list: List, name: string): Table | null {
  for (const item of list.items) {
    const value = item.kind === "table" ? item.entries.get("name")?.value : undefined;
    if (value?.kind === "scalar" && unquoted(text.slice(value.from, value.to)) === name) return item as Table;
  }
  return null;
}

function nested(way: Way, value: string): string {
  return way.reduceRight<string>((inner, step) => `{ ${key(step as string)} = ${inner} }`, value);
}

function withEntry(text: string, into: Table, name: string, value: string): string {
  const entry = `${key(name)} = ${value}`;
  if (into.inline) return into.entries.size === 0 ? `${text.slice(0, into.from)}{ ${entry} }${text.slice(into.to)}` : `${text.slice(0, into.end)}, ${entry}${text.slice(into.end)}`;
  const head = text.slice(0, into.end);
  return `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${entry}\n${text.slice(into.end)}`;
}

/** Without a part of an inline list or table, and without the comma that belonged to it. */
function cut(text: string, from: number, to: number): string {
  const after = /^\s*,[ \t]*/.exec(text.slice(to));
  if (after) return tidied(text, from, to + after[0].length);
  const before = /,\s*$/.exec(text.slice(0, from));
  return tidied(text, from - (before ? before[0].length : 0), to);
}

/** Without a line that would be left empty. */
function tidied(text: string, from: number, to: number): string {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const rest = /^[ \t]*(#[^\n]*)?\n/.exec(text.slice(to));
  return text.slice(start, from).trim() === "" && rest ? text.slice(0, start) + text.slice(to + rest[0].length) : text.slice(0, from) + text.slice(to);
}

function lineCut(text: string, from: number, to: number): string {
  const end = text.indexOf("\n", to);
  return text.slice(0, text.lastIndexOf("\n", from - 1) + 1) + (end < 0 ? "" : text.slice(end + 1));
}
