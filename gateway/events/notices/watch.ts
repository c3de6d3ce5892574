import type { EventsContext } from "#gateway/events/context.ts";
import { occasionally } from "#gateway/platform/core/sweeps.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";

/** How many days before a key's end a notice is written, once each. */
const noticeDays = [7, 1] as const;
const keysAtOnce = 500;
const keysEveryMs = 10 * 60_000;

type ExpiringKey = {
  id: string;
  account_id: string;
  user_id: string | null;
  name: string;
  hint: string;
  expires_at: Date | string;
};

/** Records account keys that expire soon: a week and a day before. */
export async function recordExpiringKeys({ database }: EventsContext): Promise<void> {
  for (const [at, days] of noticeDays.entries())
    await database.transaction(async (queries) => {
      const { rows } = await queries.execute<ExpiringKey>(sql`
        select k.id, k.account_id, k.user_id, k.name, k.hint, k.expires_at from api_keys k
        where k.revoked_at is null
          -- A key that ends within a day gets only the one-day notice, not the one-week notice as well.
          and k.expires_at > now() + make_interval(days => ${noticeDays[at + 1] ?? 0})
          and k.expires_at <= now() + make_interval(days => ${days})
          -- No notice for a key that was created with a shorter life than this: its end was planned.
          and k.expires_at - k.created_at > make_interval(days => ${days})
          and not exists (select from notice_causes c where c.once_key = ${onceKey(sql`k.id`, sql`k.expires_at`, days)})
        order by k.expires_at limit ${keysAtOnce}`);
      for (const row of rows) {
        const expiresAt = new Date(row.expires_at);
        await recordCause(queries, {
          cause: "key.expiring",
          accountId: row.account_id,
          userId: row.user_id,
          subjectId: row.id,
          data: { name: row.name, hint: row.hint, expires_at: expiresAt.toISOString() },
          once: `key.expiring ${row.id} ${Math.floor(expiresAt.getTime() / 1000)} ${days}`,
        });
      }
    });
}

function onceKey(id: ReturnType<typeof sql>, expiresAt: ReturnType<typeof sql>, days: number) {
  return sql`'key.expiring ' || ${id} || ' ' || floor(extract(epoch from ${expiresAt}))::bigint || ${` ${days}`}`;
}

export const expiringKeySweep = occasionally("expiring_keys", keysEveryMs, recordExpiringKeys);

/**
 * Makers are notified this many hours before an output is removed; the notice also covers outputs that are
 * removed in the hour after it.
 */
const aheadHours = 1;
const groupsAtOnce = 200;
const outputsEveryMs = 60_000;

type Expiring = {
  account_id: string;
  user_id: string | null;
  predictions: number;
  first: Date | string;
  last: Date | string;
};

/**
 * Records outputs that will be removed soon, for makers who chose this notice: people, and accounts with a
 * hook or an endpoint. One cause covers all outputs of a maker that have not been in a notice yet.
 */
export async function recordExpiringOutputs({ database }: EventsContext): Promise<void> {
  await database.transaction(async (queries) => {
    const { rows } = await queries.execute<Expiring>(sql`
      with wanting as (
        select m.account_id, m.user_id from members m join notice_preferences p on p.user_id = m.user_id
        where (p.choices #>> '{outputs.expiring,console}')::bool or (p.choices #>> '{outputs.expiring,email}')::bool
      ),
      hooked as (
        select account_id from notice_hooks where causes @> array['outputs.expiring']
        union
        select account_id from webhook_endpoints where events @> array['outputs.expiring'] and ${sql.raw(isListed())}
      ),
      soon as (
        select account_id, user_id, expires_at from predictions
        where data_removed_at is null and expires_at > now() and expires_at <= now() + make_interval(hours => ${2 * aheadHours})
          and status = 'succeeded'
          -- Skip predictions whose files are all kept.
          and exists (
            select from (values (0)) as one
            left join outputs o on o.run_id = predictions.id
            left join kept_outputs k on k.output_id = o.id and k.goes_at is null
            where k.output_id is null
          )
          and (account_id in (select account_id from hooked) or account_id in (select account_id from wanting))
      ),
      told as (
        select account_id, user_id, max((data->>'until')::timestamptz) as until from notice_causes
        where cause = 'outputs.expiring' and created_at > now() - interval '1 day' group by 1, 2
      )
      select s.account_id, s.user_id, count(*)::int as predictions, min(s.expires_at) as first, max(s.expires_at) as last
      from soon s left join told t on t.account_id = s.account_id and t.user_id is not distinct from s.user_id
      where t.until is null or s.expires_at > t.until
      group by s.account_id, s.user_id
      having min(s.expires_at) <= now() + make_interval(hours => ${aheadHours})
      limit ${groupsAtOnce}`);
    for (const { account_id: accountId, user_id: userId, predictions, first, last } of rows) {
      const until = new Date(last).toISOString();
      await recordCause(queries, {
        cause: "outputs.expiring",
        accountId,
        userId,
        data: { predictions, from: new Date(first).toISOString(), until },
        once: `outputs.expiring ${accountId} ${userId ?? ""} ${until}`,
      });
    }
  });
}

export const expiringOutputSweep = occasionally("expiring_outputs", outputsEveryMs, recordExpiringOutputs);
