import { isTerminal } from "#contract/prediction.ts";
import type { Context } from "#gateway/context.ts";
import { findPrediction } from "./read.ts";
import type { PredictionRow } from "./view.ts";

/** The seconds for `Prefer: wait` without a number, and the maximum for `wait=n`. */
const waitSeconds = { default: 60, max: 60 } as const;

/** The seconds of the caller's `Prefer` header; null without one. */
export function preferredWait(header: string | string[] | undefined): number | null {
  const match = /(?:^|[,;\s])wait(?:=(\d+))?(?=$|[,;\s])/.exec(String(header ?? ""));
  if (!match) return null;
  const asked = match[1] === undefined ? waitSeconds.default : Number(match[1]);
  return Math.min(waitSeconds.max, Math.max(1, asked));
}

/**
 * The prediction once it is terminal, or its current state after `seconds`, when the caller disconnects or
 * this process stops.
 */
export async function waitForPrediction(
  context: Context,
  row: PredictionRow,
  seconds: number,
  signal: AbortSignal,
): Promise<PredictionRow> {
  const ending = new AbortController();
  const stopWaiting = context.drain.onBegin(() => ending.abort());
  const over = AbortSignal.any([signal, ending.signal, AbortSignal.timeout(seconds * 1000)]);
  let current = row;
  try {
    while (!isTerminal(current.status) && !over.aborted) {
      await context.changes.next(row.id, over);
      current = await findPrediction(context, row.accountId, row.id);
    }
    return current;
  } finally {
    stopWaiting();
  }
}
