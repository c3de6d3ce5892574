import { firstIdAt } from "#contract/ids.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { agedPartitionSweep, contentDays } from "#gateway/platform/database/partitions.ts";
import { contentKeys } from "#gateway/platform/database/schema.ts";
import type { ContentsRule } from "#gateway/platform/database/tables/accounts.ts";

const dayMs = 86_400_000;
const deletedAtOnce = 1_000;
/** At the limit this much is made free, so that not every content deletes another. */
const freedShare = 0.05;

/** The days for which an account's contents can be read: its own number, or the operator's if that is lower. */
export function contentDaysOf(
  { contents: allowed }: PlatformContext["config"],
  rule: Pick<ContentsRule, "days"> | null,
): number {
  return rule === null || allowed === null ? 0 : Math.min(rule.days, allowed.maxDays);
}

/** The first id of a content that is still kept. */
export function firstKeptId(config: PlatformContext["config"], rule: ContentsRule | null): string {
  return firstIdAt("generation", clock.now() - contentDaysOf(config, rule) * dayMs);
}

/** Drops the days that no account may keep, or all of them if the operator allows none. */
export const contentDaySweep: Sweep = agedPartitionSweep({
  kind: "content_days",
  table: contentDays,
  at: "at",
  days: ({ config }) => config.contents?.maxDays ?? 0,
});

/** Deletes what accounts with fewer days no longer keep. */
export const contentAgeSweep: Sweep = {
  kind: "content_age",
  async run({ config, database }) {
    const { rows } = await database.queries.execute<{ id: string; rule: ContentsRule | null }>(sql`
      select a.id, a.contents as rule from accounts a
      where exists (select from content_keys k where k.account_id = a.id and k.ciphertext is not null)`);
    let more = false;
    for (const { id, rule } of rows) {
      if (rule !== null && rule.days >= (config.contents?.maxDays ?? 0)) continue;
      const { rowCount } = await database.queries.execute(sql`
        delete from contents where id = any (array(
          select id from contents where account_id = ${id} and id < ${firstKeptId(config, rule)}
          order by id limit ${deletedAtOnce}))`);
      more ||= rowCount === deletedAtOnce;
    }
    return more;
  },
  oldestDue: () => null,
};

/** Deletes the oldest contents of accounts beyond their limit. */
export const contentLimitSweep: Sweep = {
  kind: "content_limit",
  async run({ config, database }) {
    const most = config.contents?.bytesPerAccount;
    if (most === undefined) return false;
    const { rows } = await database.queries.execute<{ id: string; account_id: string }>(
      sql`select id, account_id from content_keys where ciphertext is not null and kept_bytes > ${most}`,
    );
    for (const { id, account_id: accountId } of rows)
      await database.transaction(async (queries) => {
        await queries.select().from(contentKeys).where(eq(contentKeys.id, id)).for("update");
        // What was dropped with its day is still in the sum, so it is added up again.
        await queries.execute(sql`
          with placed as (
            select id, sum(size_bytes) over (order by id desc) as bytes from contents where account_id = ${accountId}
          ), counted as (
            select coalesce(max(bytes), 0) as bytes from placed
          ), gone as (
            delete from contents where id = any (array(
              select p.id from placed p, counted c
              where c.bytes > ${most} and p.bytes > ${Math.floor(most * (1 - freedShare))}::bigint))
            returning size_bytes
          )
          update content_keys set kept_bytes = (select bytes from counted) - coalesce((select sum(size_bytes) from gone), 0)
          where id = ${id}`);
      });
    return false;
  },
  oldestDue: () => null,
};

/** Deletes what keys sealed that were erased. */
export const erasedContentSweep: Sweep = {
  kind: "erased_contents",
  async run({ database }) {
    const { rows } = await database.queries.execute<{ id: string; account_id: string }>(
      sql`select id, account_id from content_keys where ciphertext is null order by id limit 20`,
    );
    let more = false;
    for (const { id, account_id: accountId } of rows) {
      const { rowCount } = await database.queries.execute(sql`
        delete from contents where id = any (array(
          select id from contents where account_id = ${accountId} and content_key = ${id} limit ${deletedAtOnce}))`);
      more = true;
      if (rowCount !== deletedAtOnce)
        await database.queries.delete(contentKeys).where(eq(contentKeys.id, id));
    }
    return more;
  },
  oldestDue: () => null,
};
