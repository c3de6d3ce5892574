import type { BaseContext } from "#gateway/context.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";
import { occasionally } from "./occasionally.ts";

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
export async function recordExpiringOutputs({ database }: BaseContext): Promise<void> {
  await database.transaction(async (queries) => {
    const { rows } = await queries.execute<Expiring>(sql`
      with wanting as (
        select m.account_id, m.user_id from members m join notice_preferences p on p.user_id = m.user_id
        where (p.choices #>> '{outputs.expiring,console}')::bool or (p.choices #>> '{outputs.expiring,email}')::bool
      ),
      hooked as (
        select account_id from notice_hooks where causes @> array['outputs.expiring']
        union
        select account_id from webhook_endpoints where events @> array['outputs.expiring'] and deleted_at is null
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
