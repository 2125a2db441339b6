/** Asks the server about the mechanism, a short while after the last change; one question at a time, so that the server never works for answers that nobody waits for. */
import type { Scene } from "../../scene";
import { SERVER, asked } from "./asking";
import type { Answer, Bench } from "./bench";
import type { Sketch } from "./sketch";

const PAUSE = 350;

const NOTHING: Answer = { state: "none", words: "", scene: null };

/** Without a server, the page says what it finds itself. */
function alone(bench: Bench): void {
  bench.listen((state, before) => {
    if (state.history.now.sketch !== before.history.now.sketch && state.answer !== NOTHING) bench.set({ answer: NOTHING });
  });
}

export function checking(bench: Bench): void {
  if (!SERVER) return alone(bench);
  let known = "";
  let timer = 0;
  let waiting = false;

  const empty = () => bench.page.text === null && bench.page.sketch.links.length === 0;

  async function ask(): Promise<void> {
    if (waiting || empty()) return;
    waiting = true;
    const text = known;
    const answer = await asked<{ mobility: string; scene: Scene; sketch: Sketch | null; kept: string }>("/api/check", { method: "POST", body: text }).then(
      ({ mobility, scene, sketch, kept }): Answer & { adopt?: () => void } => ({ state: "good", words: mobility, scene, adopt: () => bench.adopt(text, sketch, kept) }),
      (problem: Error): Answer & { adopt?: () => void } => ({ state: "bad", words: problem.message, scene: bench.state.answer.scene }),
    );
    waiting = false;
    if (text !== known) return void ask();
    if (empty()) return;
    answer.adopt?.();
    bench.set({ answer });
  }

  bench.listen((state, before) => {
    if (state.history.now === before.history.now) return;
    const { text } = bench;
    if (text === known && state.answer.state !== "none") return;
    known = text;
    clearTimeout(timer);
    if (empty()) return bench.set({ answer: NOTHING });
    bench.set({ answer: { ...bench.state.answer, state: "asking" } });
    timer = window.setTimeout(() => void ask(), PAUSE);
  });
}
