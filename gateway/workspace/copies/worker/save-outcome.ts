import { keptCopyAttempts, maxCopyAttempts } from "#contract/copy-constants.ts";
import type { Context } from "#gateway/context.ts";
import { backoffMs } from "#gateway/events/webhooks/backoff.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { instanceId } from "#gateway/platform/core/instance.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/from-now.ts";
import { copies, destinations } from "#gateway/platform/database/schema.ts";
import type { CopyTry } from "#gateway/platform/database/tables/copies.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";
import { failure } from "../s3/failure.ts";
import type { ClaimedCopy } from "./claim.ts";
import type { CopyOutcome } from "./copy-file.ts";

/**
 * Saves how an attempt went. What failed is tried again with growing waits, then given up until somebody retries it. A worker that
 * lost its lease saves nothing: another one copies the file again, to the same name.
 */
export async function saveOutcome(
  { config, database, log }: Context,
  { copy, destination, interruptedAt }: ClaimedCopy,
  outcome: CopyOutcome,
): Promise<void> {
  const { id, tries, startedAt } = copy;
  const attempts = [...logOf(copy.attempts, interruptedAt), ...attemptOf(outcome, startedAt)].slice(
    -keptCopyAttempts,
  );
  const isGivenUp = outcome.result === "failed" && (outcome.isFinal || tries >= maxCopyAttempts);
  const rest = { attempts, startedAt: null, leaseOwner: null, leaseExpiresAt: null };
  const waitMs = outcome.result === "failed" ? backoffMs(tries, config.webhooks) : 0;
  await database.transaction(async (queries) => {
    // The destination first, as everywhere.
    const [now] = await queries
      .select({ status: destinations.status })
      .from(destinations)
      .where(eq(destinations.id, destination.id))
      .for("no key update");
    if (!now) return;
    const seen = seenOf(outcome);
    if (seen) await queries.update(destinations).set(seen).where(eq(destinations.id, destination.id));
    const saved = await queries
      .update(copies)
      .set({
        ...rest,
        ...(outcome.result === "copied"
          ? {
              status: "succeeded" as const,
              objectName: outcome.objectName,
              copiedAt: clock.date(),
              nextAttemptAt: null,
            }
          : isGivenUp
            ? { status: "failed" as const, nextAttemptAt: null }
            : {
                status: "pending" as const,
                nextAttemptAt: now.status === "active" ? fromNow(waitMs) : null,
                ...(outcome.result === "stopped" && { tries: sql`greatest(${copies.tries} - 1, 0)` }),
              }),
      })
      .where(and(eq(copies.id, id), eq(copies.leaseOwner, instanceId)))
      .returning({ id: copies.id });
    if (isGivenUp && saved.length > 0)
      await recordCause(queries, {
        cause: "copy.exhausted",
        accountId: copy.accountId,
        subjectId: destination.id,
        data: {
          name: destination.name,
          copy_id: id,
          output_id: copy.outputId,
          error: outcome.failure.error.code,
          message: outcome.failure.error.message,
        },
      });
  });
  if (outcome.result === "failed")
    log.warn(
      { copy: id, code: outcome.failure.error.code, tries, isGivenUp },
      "copies: a file was not copied",
    );
}

/** The attempt that a killed process began stands in the log, too. */
export function logOf(attempts: CopyTry[], interruptedAt: Date | null): CopyTry[] {
  if (interruptedAt === null) return attempts;
  return [...attempts, { at: interruptedAt.toISOString(), durationMs: null, ...failure("interrupted") }];
}

function attemptOf(outcome: CopyOutcome, startedAt: Date | null): CopyTry[] {
  if (outcome.result === "stopped") return [];
  const began = startedAt ?? clock.date();
  const facts = {
    at: began.toISOString(),
    durationMs: Math.max(0, Math.round(clock.now() - began.getTime())),
  };
  if (outcome.result === "failed") return [{ ...facts, ...outcome.failure }];
  return [{ ...facts, statusCode: outcome.statusCode, error: null, serverCode: null }];
}

/** What its page says of a destination, from the latest attempt that tells something of it. */
function seenOf(outcome: CopyOutcome): Partial<typeof destinations.$inferInsert> | null {
  if (outcome.result === "copied") return { lastCopiedAt: clock.date(), lastError: null, lastErrorAt: null };
  if (outcome.result === "failed" && outcome.isTheirs)
    return { lastError: outcome.failure.error, lastErrorAt: clock.date() };
  return null;
}
