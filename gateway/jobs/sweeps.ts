import { lt } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { idempotencyKeys, requestLogs, sessions } from "#gateway/database/schema.ts";
import { removeExpiredData } from "#gateway/predictions/remove-data.ts";
import { removeHeldFiles } from "#gateway/storage/held-files.ts";
import { expireUploads } from "#gateway/uploads/expire.ts";
import { purgePayloads } from "#gateway/webhooks/purge.ts";

const everyMs = { min: 500, max: 30_000 } as const;
const requestLogKeptMs = 30 * 86_400_000;

/** What time itself does: removal of outputs, inputs, uploads, payloads and bookkeeping whose time has passed. */
const sweeps: { name: string; run(context: Context): Promise<unknown> }[] = [
  { name: "predictions", run: removeExpiredData },
  { name: "files of no prediction", run: removeHeldFiles },
  { name: "uploads", run: expireUploads },
  { name: "webhook payloads", run: purgePayloads },
  {
    name: "idempotency keys",
    run: ({ database }) =>
      database.queries.delete(idempotencyKeys).where(lt(idempotencyKeys.expiresAt, new Date())),
  },
  {
    name: "request log",
    run: ({ database }) =>
      database.queries.delete(requestLogs).where(lt(requestLogs.at, new Date(Date.now() - requestLogKeptMs))),
  },
  {
    name: "sessions",
    run: ({ database }) => database.queries.delete(sessions).where(lt(sessions.expiresAt, new Date())),
  },
];

/** Runs the sweeps one after another, again and again; each is safe to run in several processes at once. */
export function startSweeps(context: Context): { stop(): Promise<void> } {
  const periodMs = Math.min(everyMs.max, Math.max(everyMs.min, context.config.retentionMs / 4));
  let stopped = false;
  let current: Promise<void> = Promise.resolve();
  const sweep = async (): Promise<void> => {
    for (const { name, run } of sweeps) {
      if (stopped) return;
      try {
        await run(context);
      } catch (error) {
        context.log.warn({ err: error }, `sweep of ${name} failed, will try again`);
      }
    }
  };
  const timer = setInterval(() => {
    current = current.then(sweep);
  }, periodMs);
  current = sweep();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await current;
    },
  };
}
