import type { BaseContext } from "#gateway/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { deadAfter } from "./presence.ts";

const batchSize = 10_000;

/** Removes rows without information: full buckets, unused slots, ended processes. */
export const limitSweep: Sweep = {
  kind: "limits",
  async run({ database }: BaseContext) {
    const { queries } = database;
    const full = await queries.execute(sql`
      delete from limit_rates where ctid = any (array(
        select ctid from limit_rates
        where tokens + extract(epoch from now() - refilled_at) * 1000 * size / period_ms >= size
        limit ${batchSize} for update skip locked))`);
    await queries.execute(sql`
      delete from gateway_processes where seen_at < now() - ${deadAfter}::interval * 2`);
    await queries.execute(sql`
      delete from limit_slots where ctid = any (array(
        select ctid from limit_slots l
        where not exists (
          select from jsonb_each_text(l.held) as of(process, places)
          join gateway_processes p on p.id = of.process where of.places::int > 0)
        limit ${batchSize} for update skip locked))`);
    return full.rowCount === batchSize;
  },
  oldestDue: () => null,
};
