/** Asks the server about the mechanism, a short while after the last change; one question at a time, so that the server never works for answers that nobody waits for. */
import type { Scene } from "../../scene";
import { asked } from "./asking";
import type { Answer, Bench } from "./bench";

const PAUSE = 350;

const NOTHING: Answer = { state: "none", words: "", scene: null };

export function checking(bench: Bench): void {
  let known = "";
  let timer = 0;
  let waiting = false;

  const empty = () => bench.state.edited === null && bench.state.history.now.links.length === 0;

  async function ask(): Promise<void> {
    if (waiting || empty()) return;
    waiting = true;
    const text = known;
    const answer = await asked<{ mobility: string; scene: Scene }>("/api/check", { method: "POST", body: text }).then(
      ({ mobility, scene }): Answer => ({ state: "good", words: mobility, scene }),
      (problem: Error): Answer => ({ state: "bad", words: problem.message, scene: bench.state.answer.scene }),
    );
    waiting = false;
    if (text !== known) return void ask();
    if (!empty()) bench.set({ answer });
  }

  bench.listen((state, before) => {
    if (state.history.now === before.history.now && state.edited === before.edited) return;
    const { text } = bench;
    if (text === known && state.answer.state !== "none") return;
    known = text;
    clearTimeout(timer);
    if (empty()) return bench.set({ answer: NOTHING });
    bench.set({ answer: { ...bench.state.answer, state: "asking" } });
    timer = window.setTimeout(() => void ask(), PAUSE);
  });
}
