/** What was, what is, and what was undone. */

export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

const KEPT = 200;

export const begun = <T>(now: T): History<T> => ({ past: [], now, future: [] });

/** A step forward; nothing happens if nothing changes. */
export function stepped<T>(history: History<T>, now: T): History<T> {
  return now === history.now ? history : { past: [...history.past, history.now].slice(-KEPT), now, future: [] };
}

export function undone<T>(history: History<T>): History<T> {
  const { past, now, future } = history;
  return past.length === 0 ? history : { past: past.slice(0, -1), now: past[past.length - 1]!, future: [now, ...future] };
}

export function redone<T>(history: History<T>): History<T> {
  const { past, now, future } = history;
  return future.length === 0 ? history : { past: [...past, now], now: future[0]!, future: future.slice(1) };
}
