import type { Sweep } from "#gateway/platform/core/sweeps.ts";

/** How long a change is applied again, because another process may not know it yet: more than two readings. */
const settlingSeconds = 180;

const shortenedAtOnce = 2_000;

/** What has an expiry, as SQL: the table, its column, and which rows of an account may get an earlier one. */
const expiring = [
  ["predictions", "expires_at", "account_id = $1 and data_removed_at is null"],
  ["outputs", "expires_at", "account_id = $1 and key is not null"],
  ["generations", "expires_at", "account_id = $1"],
  ["uploads", "object_expires_at", "account_id = $1 and status in ('uploaded', 'verified')"],
  // One that still runs gets its expiry at its end.
  [
    "responses",
    "expires_at",
    "account_id = $1 and not exists (select from response_jobs j where j.id = responses.id)",
  ],
  ["batches", "expires_at", "account_id = $1 and data_removed_at is null"],
  // The output file of OpenAI's clients is made of rows when their batch ends.
  [
    "batch_rows",
    "expires_at",
    `data_removed_at is null and batch_id = any (array(
       select id from batches where account_id = $1 and (open_ai is null or finished_at is not null)))`,
  ],
  ["webhook_events", "payload_expires_at", "account_id = $1 and body is not null"],
  ["idempotency_keys", "expires_at", "account_id = $1 and response_status is not null"],
  ["shares", "expires_at", "account_id = $1"],
] as const;

/**
 * Applies an account's new, shorter retention to what was stored before: it is removed when that time has passed since
 * the change, at the latest. A longer retention changes nothing that exists.
 */
export const retentionSweep: Sweep = {
  kind: "shortened",
  async run({ config, database }) {
    if (!config.extensions) return false;
    const { rows } = await database.pool.query<{ id: string; seconds: number }>(
      `select id, retention_seconds as seconds from accounts
       where retention_seconds is not null and retention_changed_at is not null`,
    );
    let more = false;
    for (const { id, seconds } of rows)
      for (const [table, column, which] of expiring) {
        const until = "now() + make_interval(secs => $2)";
        const { rowCount } = await database.pool.query(
          `update ${table} set ${column} = ${until} where ctid = any (array(
             select ctid from ${table} where ${which} and ${column} > ${until}
             limit ${shortenedAtOnce} for update skip locked))`,
          [id, seconds],
        );
        more ||= rowCount === shortenedAtOnce;
      }
    if (!more && rows.length > 0)
      await database.pool.query(
        `update accounts set retention_changed_at = null
         where id = any ($1) and retention_changed_at < now() - make_interval(secs => ${settlingSeconds})`,
        [rows.map(({ id }) => id)],
      );
    return more;
  },
  oldestDue: () => null,
};
