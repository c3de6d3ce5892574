import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { FairQueue } from "#gateway/platform/core/fair-queue.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { previews } from "#gateway/platform/database/schema.ts";
import {
  askAgainMs,
  drawsAtOnce,
  patienceMs,
  retryAfterSeconds,
  waiting,
  waitingPerAccount,
} from "./limits.ts";
import { makePreview } from "./make.ts";
import { ownerOf } from "./owner.ts";

/** Makes the previews of this process a few at a time; accounts take turns. */
const queue = new FairQueue({
  atOnce: drawsAtOnce,
  waitingPerGroup: waitingPerAccount,
  waiting,
  refuse: () => busy("Too many previews are being made right now."),
});

interface Making {
  /** False: another process is at it. */
  made: Promise<boolean>;
  /** Aborted when somebody who waits for it has left. */
  looks: AbortSignal[];
}

/** What this process is making, by file. */
const underWay = new Map<string, Making>();

/**
 * The object key of a file's preview, which is made when somebody looks for the first time. All who look at once wait for the
 * same. Throws `preview_not_available` for a file that cannot be read, `payload_purged` for one that was removed, and
 * `service_unavailable` when too many wait.
 */
export async function lookAt(context: Context, key: string, look: AbortSignal): Promise<string> {
  const until = performance.now() + patienceMs;
  do {
    const [row] = await context.database.queries.select().from(previews).where(eq(previews.key, key));
    if (row?.state === "made" && row.previewKey !== null) return row.previewKey;
    if (row?.state === "none")
      throw new ApiError("preview_not_available", "This file has no preview: it could not be read.");
    if (!(await makeOnce(context, key, look))) await sleep(askAgainMs);
  } while (performance.now() < until);
  throw busy("The preview of this file is not ready yet.");
}

function makeOnce(context: Context, key: string, look: AbortSignal): Promise<boolean> {
  const known = underWay.get(key);
  if (known) {
    known.looks.push(look);
    return known.made;
  }
  const looks = [look];
  const made = makeInTurn(context, key, looks).finally(() => underWay.delete(key));
  underWay.set(key, { made, looks });
  return made;
}

async function makeInTurn(context: Context, key: string, looks: AbortSignal[]): Promise<boolean> {
  const accountId = await ownerOf(context.database.queries, key);
  return queue.run(accountId, async () => {
    // Everybody has scrolled on before its turn.
    if (looks.every(({ aborted }) => aborted)) throw busy("Nobody waits for the preview of this file.");
    return makePreview(context, { accountId, key });
  });
}

function busy(message: string): ApiError {
  return new ApiError("service_unavailable", `${message} Try again in a moment.`, { retryAfterSeconds });
}
