import type { BaseContext } from "#gateway/context.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { recordCause } from "#gateway/platform/outbox/record-cause.ts";
import { occasionally } from "./occasionally.ts";

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
export async function recordExpiringKeys({ database }: BaseContext): Promise<void> {
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
