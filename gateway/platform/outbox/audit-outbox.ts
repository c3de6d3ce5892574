import type { Database } from "#gateway/platform/database/database.ts";

/** How the audit stream goes, over all processes. */
export interface AuditStreamState {
  /** Events that have not left, up to `maxCounted`. */
  waiting: number;
  /** How long the oldest of them has waited. */
  lagSeconds: number;
  /** Why the last attempt failed; null if it succeeded. */
  error: string | null;
  lastSentAt: Date | null;
  /** Events that were dropped, because they could not leave for `AUDIT_STREAM_KEEP_DAYS`. */
  dropped: number;
}

/** Counting stops here, because this is read several times a minute. */
const maxCounted = 100_000;

/** Null while the audit log is not streamed. */
export async function readAuditOutbox({ pool }: Pick<Database, "pool">): Promise<AuditStreamState | null> {
  const { rows } = await pool.query<AuditStreamState>(
    `select
       ((select count(*) from (select from audit_outbox limit $1) counted)
         + coalesce(array_length(string_to_array(rtrim(s.batch_lines, E'\\n'), E'\\n'), 1), 0))::int as waiting,
       greatest(0, coalesce(extract(epoch from clock_timestamp() - coalesce(s.batch_at,
         (select created_at from audit_outbox order by number limit 1))), 0))::float8 as "lagSeconds",
       case when s.failures > 0 then s.last_error end as error,
       s.last_sent_at as "lastSentAt", s.dropped::int as dropped
     from audit_stream s`,
    [maxCounted],
  );
  return rows[0] ?? null;
}
