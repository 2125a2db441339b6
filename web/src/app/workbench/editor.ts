/** The description as text: highlighted, completed by the schema, with what is wrong marked. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml as language } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "../../dom";
import { SERVER, asked } from "./asking";
import type { Bench } from "./bench";
import { completions } from "./completion";

const COLORS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--number)" },
  { tag: [tags.propertyName], color: "var(--ink)" },
  { tag: [tags.bracket, tags.keyword], color: "var(--accent)", fontWeight: "600" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "30rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".cm-completionDetail": { opacity: "0.85" },
});

export function editor(bench: Bench): HTMLElement {
  // inside a shadow root the editor brings its style without a <style> element, which the content policy forbids
  const frame = h("div", { class: "text" });
  const root = frame.attachShadow({ mode: "open" });
  const offers = new Compartment();
  let writing = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: bench.text,
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), closeBrackets(), lintGutter(),
        StreamLanguage.define(language), syntaxHighlighting(COLORS), LOOK, offers.of(autocompletion()),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorState.readOnly.of(!SERVER), // nobody could read what is written
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Description of the mechanism, TOML" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || writing) return;
          const text = update.state.doc.toString();
          bench.edit(text);
        }),
      ],
    }),
  });
  view.dom.style.height = "100%";

  if (SERVER) void asked<object>("/api/schema").then((schema) => {
    view.dispatch({ effects: offers.reconfigure(autocompletion({ override: [completions(schema)] })) });
  }, () => undefined); // without the schema there is an editor without completion

  function follow(): void {
    const { text } = bench;
    const now = view.state.doc.toString();
    if (now === text) return;
    writing = true;
    view.dispatch({ changes: { from: 0, to: now.length, insert: text } });
    writing = false;
  }

  function mark(): void {
    const { answer } = bench.state;
    const { doc } = view.state;
    if (answer.state !== "bad") return view.dispatch(setDiagnostics(view.state, []));
    const line = doc.line(Math.min(doc.lines, blamed(answer.words, doc.toString())));
    view.dispatch(setDiagnostics(view.state, [{ from: line.from, to: line.to, severity: "error", message: answer.words }]));
  }

  bench.listen((state, before) => {
    if (state.history !== before.history) follow();
    if (state.answer !== before.answer) mark();
  });
  return frame;
}

/** The line that a sentence is about: the one it names, or that of the first thing in it that has a name; else the first. */
function blamed(sentence: string, text: string): number {
  const told = /at line (\d+)/.exec(sentence);
  if (told) return Math.max(1, Number(told[1]));
  const lines = text.split("\n");
  for (const [, name] of sentence.matchAll(/'([^']+)'/g)) {
    const found = lines.findIndex((line) => line.includes(`name = ${JSON.stringify(name)}`));
    if (found > 0) return found + 1;
  }
  return 1;
}
