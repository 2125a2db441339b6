/** What can be written at a place of a description, by the schema of the format. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";

/** The part of JSON Schema that the format uses. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly unit?: string;
  readonly default?: unknown;
}

/** Keys that name a point of a body. */
const POINTS = ["a", "b", "point", "origin"];

/** Completes keys, names of tables, values of a choice, and references to points and angles. */
export function completions(schema: Schema): (context: CompletionContext) => CompletionResult | null {
  const defs = schema.$defs ?? {};
  const resolved = (one: Schema | undefined): Schema => (one?.$ref ? defs[one.$ref.replace("#/$defs/", "")]! : (one ?? {}));
  const top = resolved(schema);
  const variants = (one: Schema | undefined): readonly Schema[] => {
    const found = resolved(one);
    return found.anyOf ? found.anyOf.flatMap(variants) : [found];
  };

  /** What a table may be: those kinds whose type is written, or all. */
  function kinds(table: string, type: string | null): readonly Schema[] {
    const [name, ...rest] = table.split(".");
    const own = resolved(top.properties?.[name!]);
    const found = rest.length > 0 ? variants(own.properties?.[rest[0]!]) : own.items ? variants(own.items) : [own];
    const chosen = found.filter((kind) => kind.properties?.["type"]?.enum?.includes(type));
    return chosen.length > 0 ? chosen : found;
  }

  return (context) => {
    const document = context.state.doc.toString();
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const { table, type } = surroundings(document, line.from, context.pos);
    const header = /^\s*\[\[?([A-Za-z.]*)$/.exec(before);
    if (header) {
      const tables = Object.entries(top.properties ?? {}).filter(([, value]) => ["array", "object"].some((kind) => [resolved(value).type].flat().includes(kind)) || value.$ref);
      return answer(context.pos - header[1]!.length, tables.map(([label, value]) => ({ label, type: "class", detail: value.items ? "[[…]]" : "[…]" })));
    }
    const value = /^\s*(?:.*[{,]\s*)?([A-Za-z_]+)\s*=\s*("?)([^"]*)$/.exec(before);
    if (value) {
      const [, key, quote, typed] = value;
      const shut = line.text.slice(context.pos - line.from).startsWith('"') ? "" : '"';
      const quoted = (label: string, detail?: string): Completion => ({ label, apply: quote ? `${label}${shut}` : `"${label}"`, type: "enum", ...(detail ? { detail } : {}) });
      const choices = key === "type" ? kinds(table, null).flatMap((kind) => (kind.properties?.["type"]?.enum ?? []).map((label) => quoted(String(label), kind.description?.split(/[.:]/)[0]?.slice(0, 60)))) : kinds(table, type).flatMap((kind) => (resolved(kind.properties?.[key!]).enum ?? []).map((label) => quoted(String(label))));
      if (choices.length > 0) return answer(context.pos - typed!.length, choices);
      if (POINTS.includes(key!)) return answer(context.pos - typed!.length, points(document).map((label) => quoted(label)));
      if (key === "target" || key === "angle") return answer(context.pos - typed!.length, bodies(document).map((label) => quoted(`${label}.angle`)));
      return null;
    }
    const key = /^\s*(?:.*[{,]\s*)?([A-Za-z_]*)$/.exec(before);
    if (!key || (key[1] === "" && !context.explicit)) return null;
    const properties = new Map(table === "" ? Object.entries(top.properties ?? {}) : kinds(table, type).flatMap((kind) => Object.entries(kind.properties ?? {})));
    return answer(context.pos - key[1]!.length, [...properties].map(([label, one]) => ({ label, apply: `${label} = `, type: "property", ...(one.unit ? { detail: one.unit } : {}) })));
  };
}

function answer(from: number, options: readonly Completion[]): CompletionResult | null {
  return options.length === 0 ? null : { from, options: [...options], validFor: /^[^"]*$/ };
}

/** The table in which a place is, and what its type is. */
function surroundings(document: string, lineStart: number, position: number): { table: string; type: string | null } {
  const above = document.slice(0, lineStart);
  const header = [...above.matchAll(/^\s*\[\[?\s*([A-Za-z.]+)\s*\]?\]/gm)].pop();
  const rest = document.slice(position);
  const end = rest.search(/^\s*\[/m);
  const own = (header ? above.slice(header.index) : above) + document.slice(lineStart, position) + (end < 0 ? rest : rest.slice(0, end));
  return { table: header?.[1] ?? "", type: /^\s*type\s*=\s*"([^"]*)"/m.exec(own)?.[1] ?? null };
}

/** Names of bodies in a description, found without reading it wholly: it may be half written. */
function bodies(document: string): readonly string[] {
  return document.split(/^\s*\[\[bodies\]\]/m).slice(1).flatMap((block) => /^\s*name\s*=\s*"([^"]+)"/m.exec(block.split(/^\s*\[/m)[0]!)?.[1] ?? []);
}

/** References to points. */
function points(document: string): readonly string[] {
  const ground = [...(/^\s*\[ground\]([^[]*(?:\[[^\]]*\][^[\]]*)*?)(?=^\s*\[|$(?![\s\S]))/m.exec(document)?.[1] ?? "").matchAll(/^\s*"?([^"=\n]+?)"?\s*=/gm)].map((found) => `ground.${found[1]}`);
  const own = document.split(/^\s*\[\[bodies\]\]/m).slice(1).flatMap((text) => {
    const block = text.split(/^\s*\[/m)[0]!;
    const name = /^\s*name\s*=\s*"([^"]+)"/m.exec(block)?.[1];
    if (!name) return [];
    const more = [...(/^\s*points\s*=\s*\{(.*)\}/m.exec(block)?.[1] ?? "").matchAll(/"?([^"=,{\]]+?)"?\s*=\s*\[/g)].map((found) => found[1]!.trim());
    return [...(/type\s*=\s*"bar"/.test(block) ? ["start", "end"] : []), ...more].map((point) => `${name}.${point}`);
  });
  return [...ground, ...own];
}
