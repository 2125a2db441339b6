/** Where things are in a text of TOML, so that single values can be changed while everything else stays as it was written. */

export interface Scalar {
  readonly kind: "scalar";
  readonly from: number;
  readonly to: number;
}

export interface Entry {
  readonly from: number;
  readonly value: Node;
}

/** Inline, or under a heading; `end` is where another entry can be written. */
export interface Table {
  readonly kind: "table";
  readonly inline: boolean;
  from: number;
  to: number;
  end: number;
  readonly entries: Map<string, Entry>;
}

/** In brackets, or tables under headings in double brackets. */
export interface List {
  readonly kind: "list";
  readonly inline: boolean;
  from: number;
  to: number;
  readonly items: Node[];
}

export type Node = Scalar | Table | List;

/** The tree of a text; an Error if it is not TOML. Only what is needed to find places is checked. */
export function parsed(text: string): Table {
  return new Parser(text).document();
}

const table = (inline: boolean, from: number): Table => ({ kind: "table", inline, from, to: from, end: from, entries: new Map() });

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): Table {
    const root = table(false, 0);
    let current = root;
    let block: Table | null = null;
    for (;;) {
      this.blank();
      if (this.at >= this.text.length) break;
      if (this.text[this.at] === "[") {
        const from = this.at;
        if (block) block.to = from;
        const many = this.text[this.at + 1] === "[";
        this.at += many ? 2 : 1;
        const path = this.path();
        this.expect(many ? "]]" : "]");
        [current, block] = this.heading(root, path, many, from);
        current.end = this.line();
      } else {
        this.entry(current);
        current.end = this.line();
      }
    }
    if (block) block.to = this.text.length;
    root.to = this.text.length;
    return root;
  }

  /** The table of a heading, and the item of a list of tables that it begins or continues. */
  private heading(root: Table, path: readonly string[], many: boolean, from: number): [Table, Table | null] {
    let [now, block] = [root, null as Table | null];
    path.forEach((key, depth) => {
      const known = now.entries.get(key)?.value;
      if (depth === path.length - 1 && many) {
        const list: List = known?.kind === "list" ? known : { kind: "list", inline: false, from, to: from, items: [] };
        if (!known) now.entries.set(key, { from, value: list });
        const item = table(false, from);
        list.items.push(item);
        [now, block] = [item, item];
        return;
      }
      if (known?.kind === "list") {
        const last = known.items[known.items.length - 1];
        if (last?.kind !== "table") throw new Error("A heading leads nowhere.");
        [now, block] = [last, last];
        return;
      }
      if (known && known.kind !== "table") throw new Error("A heading leads nowhere.");
      const found = known ?? table(false, from);
      if (!known) now.entries.set(key, { from, value: found });
      now = found;
    });
    return [now, block];
  }

  private entry(into: Table): void {
    const from = this.at;
    const path = this.path();
    this.expect("=");
    this.space();
    const value = this.value();
    let now = into;
    for (const key of path.slice(0, -1)) {
      const known = now.entries.get(key)?.value;
      if (known && known.kind !== "table") throw new Error("A key leads nowhere.");
      const found = known ?? table(now.inline, from);
      if (!known) now.entries.set(key, { from, value: found });
      now = found;
    }
    now.entries.set(path[path.length - 1]!, { from, value });
    now.end = this.at;
  }

  private value(): Node {
    const from = this.at;
    const first = this.text[this.at];
    if (first === '"' || first === "'") {
      this.quoted();
      return { kind: "scalar", from, to: this.at };
    }
    if (first === "[" || first === "{") return first === "[" ? this.list(from) : this.inline(from);
    while (this.at < this.text.length && !",]}#\n\r".includes(this.text[this.at]!)) this.at++;
    const to = from + this.text.slice(from, this.at).trimEnd().length;
    if (to === from) throw new Error("A value is missing.");
    this.at = to;
    return { kind: "scalar", from, to };
  }

  private list(from: number): List {
    const items: Node[] = [];
    this.at++;
    for (;;) {
      this.blank();
      if (this.text[this.at] === "]") break;
      items.push(this.value());
      this.blank();
      if (this.text[this.at] === ",") this.at++;
      else if (this.text[this.at] !== "]") throw new Error("A bracket is not closed.");
    }
    return { kind: "list", inline: true, from, to: ++this.at, items };
  }

  private inline(from: number): Table {
    const found = table(true, from);
    this.at++;
    found.end = this.at;
    for (;;) {
      this.blank();
      if (this.text[this.at] === "}") break;
      this.entry(found);
      found.end = this.at;
      this.blank();
      if (this.text[this.at] === ",") this.at++;
      else if (this.text[this.at] !== "}") throw new Error("A brace is not closed.");
    }
    found.to = ++this.at;
    return found;
  }

  private path(): readonly string[] {
    const found: string[] = [];
    for (;;) {
      this.space();
      const from = this.at;
      if (this.text[from] === '"' || this.text[from] === "'") {
        this.quoted();
        found.push(unquoted(this.text.slice(from, this.at)));
      } else {
        const bare = /^[A-Za-z0-9_-]+/.exec(this.text.slice(from, from + 400))?.[0];
        if (bare === undefined) throw new Error("A key is missing.");
        this.at += bare.length;
        found.push(bare);
      }
      this.space();
      if (this.text[this.at] !== ".") return found;
      this.at++;
    }
  }

  private quoted(): void {
    const mark = this.text[this.at]!;
    const long = this.text.startsWith(mark.repeat(3), this.at);
    const end = long ? mark.repeat(3) : mark;
    this.at += end.length;
    while (!this.text.startsWith(end, this.at)) {
      if (this.at >= this.text.length || (!long && this.text[this.at] === "\n")) throw new Error("A text is not closed.");
      this.at += mark === '"' && this.text[this.at] === "\\" ? 2 : 1;
    }
    this.at += end.length;
  }

  private expect(what: string): void {
    this.space();
    if (!this.text.startsWith(what, this.at)) throw new Error(`There is no ${what}.`);
    this.at += what.length;
  }

  private space(): void {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at++;
  }

  /** To the next thing that is neither white space nor a comment. */
  private blank(): void {
    for (;;) {
      while (" \t\r\n".includes(this.text[this.at] ?? "x")) this.at++;
      if (this.text[this.at] !== "#") return;
      while (this.at < this.text.length && this.text[this.at] !== "\n") this.at++;
    }
  }

  /** To the beginning of the next line. */
  private line(): number {
    this.space();
    if (this.at < this.text.length && !"#\r\n".includes(this.text[this.at]!)) throw new Error("A line goes on after its value.");
    const found = this.text.indexOf("\n", this.at);
    this.at = found < 0 ? this.text.length : found + 1;
    return this.at;
  }
}

/** The text that a key or a scalar in quotes stands for. */
export function unquoted(raw: string): string {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  try {
    return JSON.parse(raw.replace(/\\U([0-9a-fA-F]{8})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))) as string;
  } catch {
    return raw.slice(1, -1);
  }
}
