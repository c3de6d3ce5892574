import type { FastifyReply } from "fastify";
import { isTerminal } from "#contract/prediction.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { openEventStream } from "#gateway/platform/http/event-stream.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { findPrediction } from "./read.ts";
import { type PredictionRow, predictionView } from "./view.ts";

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
  context: Pick<RunsContext, "changes" | "database" | "drain" | "history">,
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

/**
 * Sends the prediction now and at each change as server-sent events, until it is terminal, the caller's
 * credential is no longer valid, or this process stops: a client that reconnects reaches another process.
 */
export async function streamPrediction(
  context: RunsContext,
  reply: FastifyReply,
  actor: Actor,
  id: string,
): Promise<void> {
  const { accountId } = actor;
  const first = await findPrediction(context, accountId, id);
  const raw = openEventStream(reply, { "cache-control": "no-cache, no-transform" });
  const gone = new AbortController();
  whenClosed(raw, () => gone.abort());
  const stopWaiting = context.drain.onBegin(() => gone.abort());
  const stopWatching = context.credentials.watch(actor, "predictions:read", () => gone.abort());
  try {
    let row = first;
    let sent = "";
    while (!gone.signal.aborted && (await context.credentials.isStillAllowed(actor, "predictions:read"))) {
      const clearance = await Clearance.of(context, actor, [row.model]);
      const text = JSON.stringify(predictionView(context, row, clearance));
      if (text !== sent) raw.write(`event: prediction\ndata: ${text}\n\n`);
      sent = text;
      if (isTerminal(row.status)) break;
      await context.changes.next(id, gone.signal);
      row = await findPrediction(context, accountId, id);
    }
  } finally {
    stopWatching();
    stopWaiting();
    raw.end();
  }
}
