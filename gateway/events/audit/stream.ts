import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import type { EventsContext } from "#gateway/events/context.ts";
import type { AuditStreamConfig } from "#gateway/platform/core/audit-stream-config.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { auditStream } from "#gateway/platform/database/schema.ts";
import type { Started } from "#gateway/platform/door.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { type AuditColumns, ecsEvent } from "./ecs.ts";
import { fileSink } from "./file-sink.ts";
import { type Batch, otlpSink, RefusedError, type Sink, webhookSink } from "./sinks.ts";

/*
 * The audit log on its way out. A trigger copies each new row into `audit_outbox`, in the transaction that writes the row. One
 * process at a time takes committed rows from there, in the order of their numbers, into a batch with its final lines and the
 * next numbers of the stream; sends the batch; and forgets it. So a transaction that commits late comes late, and is never
 * skipped, and a batch that was interrupted is sent again with the same id and the same bytes.
 */

type StreamContext = Pick<EventsContext, "config" | "database" | "log">;

/** The longest delay of an event. */
const pollMs = 1_000;
/** How often a process tells that it has the settings of the stream. */
const showMs = 3_600_000;
/** Held by the process that sends; the number is arbitrary. */
const sendLock = 7_274_118;

/** Streams the audit log to the place of the settings. Null without one, and for a receiver elsewhere while the installation is quiet. */
export function startAuditStream(context: StreamContext): Started {
  const { config, log } = context;
  const to = config.auditStream;
  if (!to || (config.quiet && to.kind !== "file")) return null;
  const sink = openSink(to);
  const stopping = new AbortController();
  const { signal } = stopping;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<boolean> => {
    if (performance.now() - shownAtMs > showMs) {
      await showStream(context);
      shownAtMs = performance.now();
    }
    return sendNext(context, sink, to);
  };
  const keepSending = async (): Promise<void> => {
    while (!signal.aborted) {
      const more = await round().catch((error: unknown) => {
        log.warn({ err: error }, "the audit stream could not be read or saved, will retry");
        return false;
      });
      if (!more) await after(pollMs, undefined, { signal }).catch(() => {});
    }
  };
  const running = keepSending();
  return {
    async stop() {
      stopping.abort();
      await running;
      await sink.close();
    },
  };
}

function openSink(to: AuditStreamConfig): Sink {
  if (to.kind === "file") return fileSink(to.path);
  return to.kind === "webhook" ? webhookSink(to) : otlpSink(to);
}

/** Begins the stream, or tells that it is still wanted. */
async function showStream({ database, log }: StreamContext): Promise<void> {
  const { rows } = await database.queries.execute<{ is_new: boolean }>(sql`
    insert into audit_stream (id) values ('stream')
    on conflict (id) do update set seen_at = now()
    returning xmax = 0 as is_new`);
  if (rows[0]?.is_new) log.info("the audit stream begins: it has every change from now on");
}

/** Sends the next batch. Returns false if there is none, it is not due, it failed, or another process is sending. */
async function sendNext(context: StreamContext, sink: Sink, to: AuditStreamConfig): Promise<boolean> {
  const { database } = context;
  if (!(await isDue(context))) return false;
  // This transaction has only the lock: it holds neither a snapshot nor a transaction id while the receiver answers.
  return database.transaction(async (lock) => {
    const { rows } = await lock.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${sendLock}) as locked`,
    );
    if (!rows[0]?.locked) return false;
    const batch = await takeBatch(context);
    return batch !== null && sendBatch(context, sink, to, batch, () => lock.execute(sql`select 1`));
  });
}

async function isDue({ database }: StreamContext): Promise<boolean> {
  const { rows } = await database.queries.execute(sql`
    select from audit_stream where next_attempt_at <= now() and (batch_id is not null or exists (select from audit_outbox))`);
  return rows.length > 0;
}

const most = { events: 500, bytes: 1_000_000 } as const;

type Waiting = AuditColumns & { organization: string | null; waits_since: Date | string };
type StreamRow = typeof auditStream.$inferSelect;

/** The batch that was begun, or a new one; null if none is due. */
async function takeBatch({ database }: StreamContext): Promise<StreamRow | null> {
  return database.transaction(async (queries) => {
    const [stream] = await queries.select().from(auditStream).for("update");
    if (!stream || stream.batchId !== null) return stream ?? null;
    const { rows } = await queries.execute<Waiting & Record<string, unknown>>(sql`
      with first as (
        select number, sum(octet_length(entry::text)) over (order by number) - octet_length(entry::text) as bytes_before
        from (select * from audit_outbox order by number limit ${most.events}) as next
      ), taken as (
        delete from audit_outbox where number in (select number from first where bytes_before < ${most.bytes})
        returning number, entry, created_at
      )
      select r.*, a.name as organization, taken.created_at as waits_since
      from taken cross join lateral jsonb_to_record(entry) as r(
        id text, account_id text, at text, action text, actor_type text, actor_id text, actor_name text, user_id text,
        target_id text, detail jsonb, ip text, request_id text)
      left join accounts a on a.id = r.account_id
      order by number`);
    const [oldest] = rows;
    if (!oldest) return null;
    const lines = rows.map(
      (row, place) => `${JSON.stringify(ecsEvent(row, stream.last + 1 + place, row.organization))}\n`,
    );
    const [taken] = await queries
      .update(auditStream)
      .set({
        last: stream.last + rows.length,
        batchId: randomUUID(),
        batchLines: lines.join(""),
        batchAt: new Date(oldest.waits_since),
      })
      .returning();
    return taken ?? null;
  });
}

async function sendBatch(
  context: StreamContext,
  sink: Sink,
  to: AuditStreamConfig,
  stream: StreamRow,
  assertAlone: () => Promise<unknown>,
): Promise<boolean> {
  const { database, log } = context;
  const batch: Batch = { id: stream.batchId ?? "", lines: stream.batchLines ?? "" };
  const ofBatch = sql`${auditStream.batchId} = ${batch.id}`;
  try {
    const file = await sink.send(batch, {
      log,
      file: stream.file,
      recordFile: async (begun) => {
        await database.queries.update(auditStream).set({ file: begun }).where(ofBatch);
      },
      assertAlone: async () => {
        await assertAlone();
      },
    });
    await database.queries
      .update(auditStream)
      .set({
        ...{ batchId: null, batchLines: null, batchAt: null, file },
        ...{ failures: 0, lastError: null, lastSentAt: sql`now()`, nextAttemptAt: sql`now()` },
      })
      .where(ofBatch);
    return true;
  } catch (error) {
    const failures = stream.failures + 1;
    const reason = `${nameOf(to)}: ${error instanceof Error ? error.message : String(error)}`;
    const asked = error instanceof RefusedError ? error.retryAfterMs : 0;
    const waitMs = Math.max(retryWaitMs(scheduleOf(to), failures), Math.min(asked, to.retryMaxMs));
    log.warn({ failures, reason }, "a batch of the audit stream could not be sent, will retry");
    await database.queries
      .update(auditStream)
      .set({
        ...{ failures, lastError: reason },
        nextAttemptAt: sql`now() + make_interval(secs => ${waitMs / 1000})`,
      })
      .where(ofBatch);
    return false;
  }
}

function scheduleOf({ retryMaxMs }: AuditStreamConfig): RetrySchedule {
  const firstMs = Math.min(1_000, retryMaxMs);
  return { firstMs, factor: 2, maxMs: retryMaxMs, jitter: { min: 0.8, max: 1 } };
}

/** The path, or only the origin of an address, whose path and query may contain a key. */
function nameOf(to: AuditStreamConfig): string {
  return to.kind === "file" ? to.path : new URL(to.url).origin;
}

const dropAtOnce = 5_000;

/**
 * Drops events that could not leave for `AUDIT_STREAM_KEEP_DAYS`, and leaves a gap of as many numbers, also a batch that the
 * receiver never takes, which would hold up all others for good. Ends a stream that no process has had in its settings for
 * that time.
 */
export const auditOutboxSweep: Sweep<StreamContext> = {
  kind: "audit_outbox",
  async run({ config, database, log }) {
    const before = sql`now() - make_interval(days => ${config.auditStreamKeepDays})`;
    const { rows: due } = await database.queries.execute(sql`
      select where (select created_at from audit_outbox order by number limit 1) < ${before}
        or exists (select from audit_stream where seen_at < ${before} or batch_at < ${before})`);
    if (due.length === 0) return false;
    const { fromOutbox, dropped } = await database.transaction(async (queries) => {
      await queries.select({ id: auditStream.id }).from(auditStream).for("update");
      const begun = await queries.execute<{ events: number }>(sql`
        with late as (
          select id, array_length(string_to_array(rtrim(batch_lines, E'\\n'), E'\\n'), 1) as events
          from audit_stream where batch_at < ${before}
        )
        update audit_stream s set batch_id = null, batch_lines = null, batch_at = null, next_attempt_at = now()
        from late where s.id = late.id returning late.events`);
      const { rows } = await queries.execute<{ dropped: number }>(sql`
        with old as (
          delete from audit_outbox where number in (
            select number from audit_outbox where created_at < ${before} order by number limit ${dropAtOnce})
          returning number
        )
        select count(*)::int as dropped from old`);
      const fromOutbox = rows[0]?.dropped ?? 0;
      const count = fromOutbox + (begun.rows[0]?.events ?? 0);
      const [stream] = await queries
        .update(auditStream)
        .set({
          last: sql`${auditStream.last} + ${fromOutbox}`,
          dropped: sql`${auditStream.dropped} + ${count}`,
        })
        .returning();
      if (stream && count > 0)
        await recordCause(queries, {
          cause: "audit_stream.behind",
          accountId: null,
          data: { dropped: stream.dropped, error: stream.lastError },
          once: `audit_stream.behind dropped ${(stream.behindSince ?? clock.date()).toISOString().slice(0, 13)}`,
        });
      await queries.delete(auditStream).where(sql`${auditStream.seenAt} < ${before}`);
      return { fromOutbox, dropped: count };
    });
    if (dropped > 0) log.error({ dropped }, "audit events were dropped: they could not leave in time");
    return fromOutbox === dropAtOnce;
  },
  oldestDue: () => null,
};
