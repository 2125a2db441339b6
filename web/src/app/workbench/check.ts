/** Asks the server about the mechanism, a short while after the last change. */
import type { Scene } from "../../scene";
import { asked } from "./asking";
import type { Bench } from "./bench";

const PAUSE = 350;

export function checking(bench: Bench): void {
  let known = "";
  let timer = 0;
  let question: AbortController | null = null;

  const empty = () => bench.state.edited === null && bench.state.history.now.links.length === 0;

  async function ask(text: string): Promise<void> {
    question?.abort();
    const own = (question = new AbortController());
    try {
      const found = await asked<{ mobility: string; scene: Scene }>("/api/check", { method: "POST", body: text, signal: own.signal });
      bench.set({ answer: { state: "good", words: found.mobility, scene: found.scene } });
    } catch (problem) {
      if (own.signal.aborted) return;
      bench.set({ answer: { state: "bad", words: problem instanceof Error ? problem.message : String(problem), scene: bench.state.answer.scene } });
    }
  }

  bench.listen((state, before) => {
    if (state.history.now === before.history.now && state.edited === before.edited) return;
    const { text } = bench;
    if (text === known) return;
    known = text;
    clearTimeout(timer);
    question?.abort();
    if (empty()) return bench.set({ answer: { state: "none", words: "", scene: null } });
    bench.set({ answer: { ...bench.state.answer, state: "asking" } });
    timer = window.setTimeout(() => void ask(text), PAUSE);
  });
}
