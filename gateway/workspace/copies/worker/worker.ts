import path from "node:path";
import { keptCopyAttempts, maxCopyAttempts } from "#contract/copy-constants.ts";
import { attesterOf } from "#gateway/access/accounts/attestations/gates.ts";
import { assertMayLook, attestationsToLook } from "#gateway/models/catalog/clearance.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { fairShare, fairShareSql, waitingSql } from "#gateway/platform/core/fair-queue.ts";
import { type InHand, instanceId, leaseMs, startLeasedLoop } from "#gateway/platform/core/leased-loop.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { and, eq, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/failed-query.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { copies, destinations } from "#gateway/platform/database/schema.ts";
import type { CopyTry } from "#gateway/platform/database/tables/workspace.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { findOutput } from "#gateway/runs/provenance/find-outputs.ts";
import type { OutputRow } from "#gateway/runs/provenance/record.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import type { CopyRow } from "../copies.ts";
import type { DestinationRow } from "../destinations/destinations.ts";
import { type Buckets, openBuckets } from "../s3/buckets.ts";
import { type AttemptFailure, failure, failureOf } from "../s3/failure.ts";
import { openSecret } from "../seal.ts";

/** Files that one process copies at once; each uses a connection to the store and one to the bucket. */
const slots = 4;
const pollMs = 1_000;

/** The seven waits between the eight tries of a file are about 15 hours in total; the file is kept for 24. */
const copyAgain: RetrySchedule = { firstMs: 10_000, factor: 4, jitter: { min: 0.8, max: 1.2 } };

/** Copies files to destinations. `again` is faster in tests. */
export function startCopies(context: WorkspaceContext, again = copyAgain): { stop(): Promise<void> } {
  const buckets = openBuckets(context.config);
  const loop = startLeasedLoop<ClaimedCopy>(context, {
    name: "copies",
    slots,
    pollMs,
    isPassing: isDatabaseUnavailable,
    keyOf: ({ copy }) => copy.id,
    accountOf: ({ copy }) => copy.accountId,
    claim: (limit, inHand, busy) => claimCopies(context, limit, inHand, busy),
    async run(claimed, { signal }) {
      // The process died during the copy's last permitted attempt.
      const outcome =
        claimed.copy.tries > maxCopyAttempts
          ? { result: "failed" as const, failure: failure("interrupted"), isFinal: true, isTheirs: false }
          : await copyFile(context, buckets, claimed, signal);
      await saveOutcome(context, claimed, outcome, again);
    },
    renew: (inHand) => renewLeases(context, inHand),
  });
  return {
    async stop() {
      await loop.stop();
      await buckets.close();
    },
  };
}

interface ClaimedCopy {
  /** `tries` includes the attempt that begins now. */
  copy: CopyRow;
  destination: DestinationRow;
  /** When the previous attempt began, if its process died during it. */
  interruptedAt: Date | null;
}

const leaseSeconds = leaseMs / 1000;
/** A claim considers at most this many accounts. */
const maxAccounts = 64;

/*
 * Skips through the index to find accounts with work, and gives each its share of the slots, so that one
 * account's backlog does not delay the others. The attempt is counted when it begins, so that a file that
 * crashes the process is not tried for ever.
 */
const claimSql = `
${waitingSql("copies", "account_id", "status in ('pending', 'copying') and next_attempt_at is not null")},
open_accounts as (
  select account_id, least(coalesce(b.room, $1), ${fairShareSql("$1")}) as room
  from (
    select w.account_id from waiting w
    cross join lateral (
      select from copies c
      where c.account_id = w.account_id and c.status in ('pending', 'copying') and c.next_attempt_at <= now()
        and (c.lease_expires_at is null or c.lease_expires_at < now()) limit 1
    ) due
    order by random() limit ${maxAccounts}
  ) a
  left join unnest($5::text[], $6::int[]) as b (busy_id, room) on b.busy_id = a.account_id
),
due as (
  select d.id, d.started_at
  from open_accounts a
  cross join lateral (
    select c.id, c.started_at from copies c
    where c.account_id = a.account_id and c.status in ('pending', 'copying') and c.next_attempt_at <= now()
      and (c.lease_expires_at is null or c.lease_expires_at < now()) and c.id <> all ($4)
      and exists (select from destinations d where d.id = c.destination_id and d.status = 'active')
    order by c.next_attempt_at limit a.room for update of c skip locked
  ) d
  limit $1
)
update copies set status = 'copying', tries = tries + 1, started_at = now(), lease_owner = $2,
  lease_expires_at = now() + make_interval(secs => $3)
from due where copies.id = due.id
returning copies.id, due.started_at as interrupted_at`;

/** Leases due copies. */
async function claimCopies(
  { database: { pool, queries } }: WorkspaceContext,
  limit: number,
  inHand: InHand,
  busy: ReadonlyMap<string, number>,
): Promise<ClaimedCopy[]> {
  const { rows } = await pool.query<{ id: string; interrupted_at: Date | null }>(claimSql, [
    limit,
    instanceId,
    leaseSeconds,
    [...inHand.keys()],
    [...busy.keys()],
    [...busy.values()].map((own) => fairShare(limit, own)),
  ]);
  if (rows.length === 0) return [];
  const interrupted = new Map(rows.map((row) => [row.id, row.interrupted_at]));
  const found = await queries
    .select({ copy: copies, destination: destinations })
    .from(copies)
    .innerJoin(destinations, eq(destinations.id, copies.destinationId))
    .where(inArray(copies.id, [...interrupted.keys()]));
  return found.map((one) => ({ ...one, interruptedAt: interrupted.get(one.copy.id) ?? null }));
}

async function renewLeases({ database }: WorkspaceContext, inHand: InHand): Promise<void> {
  await database.pool.query(
    `update copies set lease_expires_at = now() + make_interval(secs => $2)
     where lease_owner = $1 and id = any ($3)`,
    [instanceId, leaseSeconds, [...inHand.keys()]],
  );
}

type CopyOutcome =
  | { result: "copied"; objectName: string; statusCode: number }
  /**
   * `isFinal`: a retry would fail too. `isTheirs`: the destination caused the failure, so its page shows it.
   */
  | { result: "failed"; failure: AttemptFailure; isFinal: boolean; isTheirs: boolean }
  /** This process stops; the copy then counts as if the attempt had not begun. */
  | { result: "stopped" };

/**
 * `<prefix><run>/<number>.<extension>`: the same for every attempt, so that a retry overwrites the same
 * object.
 */
function objectNameOf(prefix: string, { runId, position }: OutputRow, key: string): string {
  return `${prefix}${runId}/${position}${path.posix.extname(key)}`;
}

/** Copies a file once. Throws only while the database is unavailable. */
async function copyFile(
  context: WorkspaceContext,
  buckets: Buckets,
  claimed: ClaimedCopy,
  signal: AbortSignal,
): Promise<CopyOutcome> {
  const { copy, destination } = claimed;
  const ours = (made: AttemptFailure, isFinal: boolean): CopyOutcome => ({
    result: "failed",
    failure: made,
    isFinal,
    isTheirs: false,
  });
  try {
    const output = await findOutput(context.database.queries, copy.accountId, copy.outputId);
    const closed = await closedGate(context, claimed, output.model);
    if (closed !== null)
      return ours(
        failure("attestation_required", { error: { code: "attestation_required", message: closed } }),
        true,
      );
    const secretAccessKey = openSecret(context.config, destination);
    if (output.barred !== null) return ours(failure("file_barred"), true);
    const { file } = output;
    // Loaded before the file is opened, because an error of the stream during the loading would have no
    // listener.
    const { putFile } = await import("../s3/put-file.ts");
    const client = await buckets.clientOf({ ...destination, secretAccessKey });
    try {
      const stored = file && (await context.store.get(file.key));
      if (!file || !stored) return ours(failure("file_removed"), true);
      const objectName = objectNameOf(destination.prefix, output, file.key);
      const place = { Bucket: destination.bucket, Key: objectName };
      return await putFile(client, place, output, stored.stream, signal).then(
        (statusCode): CopyOutcome => ({ result: "copied", objectName, statusCode }),
        (error: unknown): CopyOutcome =>
          signal.aborted
            ? { result: "stopped" }
            : { result: "failed", failure: failureOf(error), isFinal: false, isTheirs: true },
      );
    } finally {
      client.destroy();
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    context.log.error({ err: error, copy: claimed.copy.id }, "copies: a file could not be read");
    return ours(failure("internal_error"), false);
  }
}

/**
 * The missing attestation for copying a gated model's file, as text; null if none is missing. The person who
 * requested the copy must have attested, now. For an automatic copy that is the person who set up the
 * destination, and only for models that it lists.
 */
async function closedGate(
  context: WorkspaceContext,
  { copy, destination }: ClaimedCopy,
  model: string,
): Promise<string | null> {
  const needed = await attestationsToLook(context);
  if (needed(model).length === 0) return null;
  const isAsked = copy.userId !== null || copy.keyId !== null;
  const isNamed = destination.automatic === "chosen" && destination.models.includes(model);
  if (!isAsked && !isNamed)
    return `${model} needs an attestation, and its files are copied automatically only to a destination that names the model. Add the model there, or retry manually.`;
  const { accountId, userId, keyId } = isAsked ? copy : destination;
  const who = await attesterOf(context, { accountId, userId, keyId });
  try {
    await assertMayLook(context, who, model);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/**
 * Saves the outcome of an attempt. A failed copy is retried with growing waits, then given up until somebody
 * retries it. A worker that lost its lease saves nothing, because another one copies the file again, to the
 * same name.
 */
async function saveOutcome(
  { database, log }: WorkspaceContext,
  { copy, destination, interruptedAt }: ClaimedCopy,
  outcome: CopyOutcome,
  again: RetrySchedule,
): Promise<void> {
  const { id, tries, startedAt } = copy;
  const attempts = [...logOf(copy.attempts, interruptedAt), ...attemptOf(outcome, startedAt)].slice(
    -keptCopyAttempts,
  );
  const isGivenUp = outcome.result === "failed" && (outcome.isFinal || tries >= maxCopyAttempts);
  const rest = { attempts, startedAt: null, leaseOwner: null, leaseExpiresAt: null };
  const waitMs = outcome.result === "failed" ? retryWaitMs(again, tries) : 0;
  await database.transaction(async (queries) => {
    // Locks the destination before its copy, like every transaction that locks both.
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

/** The log also shows an attempt whose process was killed. */
function logOf(attempts: CopyTry[], interruptedAt: Date | null): CopyTry[] {
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

/** The destination's fields that its page shows, if the attempt reveals anything about the destination. */
function seenOf(outcome: CopyOutcome): Partial<typeof destinations.$inferInsert> | null {
  if (outcome.result === "copied") return { lastCopiedAt: clock.date(), lastError: null, lastErrorAt: null };
  if (outcome.result === "failed" && outcome.isTheirs)
    return { lastError: outcome.failure.error, lastErrorAt: clock.date() };
  return null;
}
