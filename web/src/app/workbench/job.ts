/** Long tasks of the server, which are followed until they are done. */
import { told } from "../../numbers";
import { ROOT, asked } from "./asking";
import type { Bench } from "./bench";

interface Job {
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly part: number;
  readonly doing: string;
  readonly sentence: string;
  readonly seconds_left: number | null;
}

const PACE = 300;

/** Begins a run of what is drawn, and waits for it: the address of what comes of it, or null if it was cancelled. */
export async function followRun(bench: Bench, wanted: readonly (readonly [string, string])[], begun: (job: string) => void, progress: (part: number, doing: string) => void): Promise<string | null> {
  const query = new URLSearchParams([["t_end", String(bench.state.seconds)], ...bench.traced.map((name) => ["trace", name]), ...wanted.map((pair) => [...pair])]);
  const { job } = await asked<{ job: string }>(`/api/runs?${query}`, { method: "POST", body: bench.text });
  begun(job);
  for (;;) {
    const found = await asked<Job>(`/api/runs/${job}`);
    if (found.state === "done") return `${ROOT}/api/runs/${job}/page`;
    if (found.state === "failed") throw new Error(found.sentence);
    if (found.state === "cancelled") return null;
    const left = found.seconds_left === null ? "" : `, about ${found.seconds_left < 1 ? "1 s" : `${told(Math.ceil(found.seconds_left))} s`} left`;
    progress(found.part, `${found.doing}${left}`);
    await new Promise((resolve) => setTimeout(resolve, PACE));
  }
}
