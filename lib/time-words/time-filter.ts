import { spans, type TimeFilter } from "../list-view.ts";
import { readTimeWords, type TimeProblem } from "./read.ts";

export type ReadFilter = { time: TimeFilter; problem: null } | { time: null; problem: TimeProblem };

/**
 * The filter for the words: a named span if they mean one, which moves with the clock. Otherwise fixed times.
 */
export function timeOfWords(text: string, nowMs: number, timeZone: string): ReadFilter {
  const named = [...spans].find(([, { words }]) => words === text.trim().toLowerCase());
  if (named) return { time: { since: named[0], created_after: "", created_before: "" }, problem: null };
  const { stretch, problem } = readTimeWords(text, nowMs, timeZone);
  if (!stretch) return { time: null, problem };
  const written = (atMs: number | null) => (atMs === null ? "" : new Date(atMs).toISOString());
  const { fromMs, toMs } = stretch;
  return {
    time: { since: "", created_after: written(fromMs), created_before: written(toMs) },
    problem: null,
  };
}
