import type { PlatformContext } from "#gateway/platform/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { deletion, isFullBatch } from "#gateway/platform/database/row-sweep.ts";
import { everyAccount, type Step, startOf } from "./read.ts";
import { type FigureSet, FigureSums, type Labels, rowOf, type Sum } from "./sums.ts";

const batchSize = 5_000;

/** Sets that are stored per account only, not also for the sum of all accounts. */
const byKey: readonly FigureSet[] = ["key", "payer"];

const steps: readonly Step[] = ["minute", "hour", "day"];

/**
 * Moves additions into the figures of their minute, hour and day. In one transaction, so that each counts
 * once wherever a process is killed; concurrent processes take different ones.
 */
export const figureFoldSweep: Sweep = {
  kind: "figures",
  run: ({ database }) =>
    database.transaction(async (queries) => {
      const additions = await take(queries);
      const wanted = new Map<Step, FigureSums>();
      for (const step of steps) {
        const sums = new FigureSums();
        for (const { times, ...sum } of additions) {
          const at = startOf(step, sum.at);
          sums.merge({ ...sum, at }, times);
          if (!byKey.includes(sum.set)) sums.merge({ ...sum, at, accountId: everyAccount }, times);
        }
        wanted.set(step, sums);
      }
      const ids = await seriesOf(queries, wanted.get("day")?.values() ?? []);
      await write(
        queries,
        [...wanted].flatMap(([step, sums]) =>
          sums.values().map((sum) => ({ ...rowOf(sum), step, series_id: ids.get(nameOf(sum)) })),
        ),
      );
      return additions.length === batchSize;
    }),
  oldestDue: () => "select min(at) from figure_additions",
};

type Addition = Omit<Sum, "times"> & { times: number[] };

async function take(queries: Queries): Promise<Addition[]> {
  const { rows } = await queries.execute<Addition & Record<string, unknown>>(sql`
    delete from figure_additions where ctid = any (array(
      select ctid from figure_additions limit ${batchSize} for update skip locked))
    returning account_id as "accountId", set, kind, model, operation, key_id as "keyId", provider, region, status, code,
      extract(epoch from at)::float8 * 1000 as at, runs::float8 as runs, bytes_in::float8 as "bytesIn",
      bytes_out::float8 as "bytesOut", tokens_in::float8 as "tokensIn", tokens_out::float8 as "tokensOut",
      generating_ms as "generatingMs", times, tokens_cached::float8 as "tokensCached"`);
  return rows;
}

const labelColumns = sql.raw(
  "account_id, set, kind, model, operation, key_id, provider, region, status, code",
);

/** The ids of the series with these labels; creates missing ones. */
async function seriesOf(queries: Queries, sums: readonly Sum[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  if (sums.length === 0) return ids;
  const asked = sql`json_populate_recordset(null::figure_additions, ${JSON.stringify(sums.map(rowOf))}::json)`;
  const read = async () => {
    const { rows } = await queries.execute<Required<Labels> & { id: number } & Record<string, unknown>>(sql`
      select id, account_id as "accountId", set, kind, model, operation, key_id as "keyId", provider, region, status, code
      from (select distinct ${labelColumns} from ${asked}) asked join figure_series using (${labelColumns})`);
    for (const { id, ...labels } of rows) ids.set(nameOf(labels), id);
  };
  await read();
  if (sums.every((sum) => ids.has(nameOf(sum)))) return ids;
  // Sorted, so that two processes that create the same series do not deadlock.
  await queries.execute(sql`
    insert into figure_series (${labelColumns})
    select distinct ${labelColumns} from ${asked} left join figure_series known using (${labelColumns})
    where known.id is null order by ${labelColumns} on conflict do nothing`);
  await read();
  return ids;
}

/**
 * Adds the rows to the figures, in the order of their keys: all processes lock them in this order, so they
 * cannot deadlock.
 */
async function write(queries: Queries, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await queries.execute(sql`
    insert into figures as known
      (series_id, step, at, runs, bytes_in, bytes_out, tokens_in, tokens_out, generating_ms, times, tokens_cached)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as added (series_id integer, step text, at timestamptz,
      runs bigint, bytes_in bigint, bytes_out bigint, tokens_in bigint, tokens_out bigint,
      generating_ms double precision, times integer[], tokens_cached bigint)
    order by series_id, step, at
    on conflict (series_id, step, at) do update set
      runs = known.runs + excluded.runs,
      bytes_in = known.bytes_in + excluded.bytes_in,
      bytes_out = known.bytes_out + excluded.bytes_out,
      tokens_in = known.tokens_in + excluded.tokens_in,
      tokens_out = known.tokens_out + excluded.tokens_out,
      generating_ms = known.generating_ms + excluded.generating_ms,
      times = figure_times_sum(known.times, excluded.times),
      tokens_cached = coalesce(known.tokens_cached + excluded.tokens_cached, known.tokens_cached, excluded.tokens_cached)`);
}

function nameOf(labels: Required<Labels>): string {
  const { accountId, set, kind, model, operation, keyId, provider, region, status, code } = labels;
  return [accountId, set, kind, model, operation, keyId, provider, region, status, code].join("\n");
}

/** Days for which figures per minute are kept. */
export const minuteDays = 2;

function agedFigureSweep(step: Step, daysOf: (context: PlatformContext) => number | null): Sweep {
  const old = deletion(
    "figures",
    `step = '${step}' and at < now() - make_interval(days => $1) order by step, at`,
  );
  // A series is deleted with its last figure.
  const sql = `with gone as (${old} returning series_id),
    ended as (
      delete from figure_series s where id in (select series_id from gone) and not exists (
        select from figures f where f.series_id = s.id
          and (f.step <> '${step}' or f.at >= now() - make_interval(days => $1)))
    )
    select count(*)::int as removed from gone`;
  return {
    kind: `figures_${step}`,
    async run(context) {
      const days = daysOf(context);
      if (days === null) return false;
      const { rows } = await context.database.pool.query<{ removed: number }>(sql, [days]);
      return isFullBatch({ rowCount: rows[0]?.removed ?? 0 });
    },
    oldestDue(context) {
      const days = daysOf(context);
      return days === null
        ? null
        : `select min(at) + interval '${days} days' from figures where step = '${step}'`;
    },
  };
}

export const figureSweeps: readonly Sweep[] = [
  agedFigureSweep("minute", () => minuteDays),
  agedFigureSweep("hour", ({ history }) => history.days),
  agedFigureSweep("day", ({ history }) => history.auditDays),
];
