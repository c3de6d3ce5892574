import { upstreamFailureCodes } from "#gateway/platform/core/provider-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { addTotals, type FigureKind, type FigureSet, type Totals } from "./sums.ts";
import { addCounted, addText, type Counts, noCounts } from "./times.ts";

export const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export type Step = keyof typeof stepMs;

/**
 * The account id of the figures for the sum of all accounts, which `fold.ts` writes. They do not distinguish
 * keys.
 */
export const everyAccount = "";

/** A label that figures can be grouped or filtered by. */
export type LabelColumn =
  | "model"
  | "operation"
  | "key_id"
  | "provider"
  | "region"
  | "status"
  | "code"
  | "kind";

export interface FigureQuery {
  /** An account's id, or `everyAccount` for the sum of all accounts. */
  accountId: string;
  set: FigureSet;
  kinds: readonly FigureKind[];
  step: Step;
  /** Both in ms since the epoch; `from` is rounded down to the start of a step. */
  from: number;
  to: number;
  by: readonly LabelColumn[];
  /** Only figures with these labels. */
  only?: Partial<Record<LabelColumn, string>>;
}

/** The sum of figures with the same labels in one step. */
export interface FigureRow extends Totals {
  at: number;
  /** In the order of `by`. */
  labels: string[];
  status: number;
  code: string;
  /**
   * Its times in the database's text form: there are many rows, and each is added up only once, so that
   * parsing would be wasted. Null for failures.
   */
  times: string | null;
}

export interface Amount extends Totals {
  times: Counts;
}

export function noAmount(): Amount {
  const times = noCounts();
  return {
    runs: 0,
    bytesIn: 0,
    bytesOut: 0,
    tokensIn: 0,
    tokensOut: 0,
    generatingMs: 0,
    tokensCached: null,
    times,
  };
}

/** Adds a row as it was read. */
export function addRow(into: Amount, row: FigureRow): void {
  addTotals(into, row);
  if (row.times !== null) addText(into.times, row.times);
}

export function addAmount(into: Amount, from: Amount): void {
  addTotals(into, from);
  addCounted(into.times, from.times);
}

const sums =
  "runs::float8, bytes_in::float8, bytes_out::float8, tokens_in::float8, tokens_out::float8, generating_ms, tokens_cached::float8";

/** Time, status, code, the seven sums, the pairs of the times, and labels. */
type Row = [
  number,
  number,
  string,
  number,
  number,
  number,
  number,
  number,
  number,
  number | null,
  string | null,
  ...string[],
];

/**
 * Reads times only of successes, because the duration of an error says nothing about the speed of the work.
 * This also saves most of the transfer: times are most of the data.
 */
const timesIn = (rows: string) => `case when s.status < 400 and s.code = '' then ${rows}.times::text end`;

/**
 * Sets with fewer labels. Triggers of the database compute them from the sets in `of`, for figures written
 * after the time `since`.
 */
const shorter: Partial<Record<FigureSet, { of: string; since: string }>> = {
  payer: { of: "('key')", since: "figure_payers_since()" },
  place: { of: "('key', 'try')", since: "figure_places_since()" },
};

/** Which sets to read for which times: before a shorter set existed, its sums come from the longer ones. */
function partsOf(set: FigureSet): { sets: string; from: string; to: string }[] {
  const known = shorter[set];
  if (!known) return [{ sets: "($2)", from: "$5", to: "$6" }];
  return [
    { sets: "($2)", from: `greatest($5, ${known.since})`, to: "$6" },
    { sets: known.of, from: "$5", to: `least($6, ${known.since})` },
  ];
}

/**
 * The figures of a time range, including those not folded yet. The amount read is bounded by steps and
 * series, and does not grow with the number of counted events.
 */
export async function readFigures(
  { pool }: Pick<Database, "pool">,
  query: FigureQuery,
): Promise<FigureRow[]> {
  const { accountId, set, kinds, step, by } = query;
  const only = Object.entries(query.only ?? {});
  const given = only.map(([column], place) => ` and s.${column}::text = $${7 + place}`).join("");
  const labels = by.map((column) => `, s.${column}::text`).join("");
  const isAll = accountId === everyAccount;
  const { rows } = await pool.query<Row>({
    rowMode: "array",
    // Reads both tables in one statement, because an addition is then either in the additions or in the
    // figures, never in both.
    text: partsOf(set)
      .map(
        (part) => `
          select extract(epoch from f.at)::float8 * 1000, s.status, s.code, ${sums}, ${timesIn("f")}${labels}
          from figure_series s join figures f on f.series_id = s.id
          where s.account_id = $1 and s.set in ${part.sets} and s.kind = any($3)${given}
            and f.step = $4 and f.at >= ${part.from} and f.at < ${part.to}
          union all
          select extract(epoch from s.at)::float8 * 1000, s.status, s.code, ${sums}, ${timesIn("s")}${labels}
          from figure_additions s
          where ${isAll ? "$1 = ''" : "s.account_id = $1"} and s.set in ${part.sets} and s.kind = any($3)${given}
            and s.at >= ${part.from} and s.at < ${part.to}`,
      )
      .join(" union all "),
    values: [
      ...[accountId, set, kinds, step, new Date(startOf(step, query.from)), new Date(query.to)],
      ...only.map(([, label]) => label),
    ],
  });
  return rows.map(
    ([
      at,
      status,
      code,
      runs,
      bytesIn,
      bytesOut,
      tokensIn,
      tokensOut,
      generatingMs,
      tokensCached,
      times,
      ...labels
    ]) => ({
      at: startOf(step, at),
      status,
      code,
      labels,
      times,
      runs,
      bytesIn,
      bytesOut,
      tokensIn,
      tokensOut,
      generatingMs,
      tokensCached,
    }),
  );
}

export function startOf(step: Step, ms: number): number {
  return Math.floor(ms / stepMs[step]) * stepMs[step];
}

/** Outcomes of runs or tries. Errors of the caller and canceled runs count as neither. */
export interface Outcome {
  good: number;
  /** Failures of the gateway or an upstream. */
  faults: number;
}

export interface OutcomeRow extends Outcome {
  /** The start of the day (UTC), in ms since the epoch. */
  at: number;
  model: string;
  /** Empty if the set has no regions. */
  region: string;
}

/**
 * The outcomes since a time, over all accounts, by day, model and region. Does not read durations, which are
 * most of a figure's data.
 */
export async function readOutcomes(
  { pool }: Pick<Database, "pool">,
  set: FigureSet,
  kinds: readonly FigureKind[],
  fromMs: number,
): Promise<OutcomeRow[]> {
  const { rows } = await pool.query<[string, string, string, string, string]>({
    rowMode: "array",
    // Reads both tables in one statement, because an addition is then either in the additions or in the
    // figures, never in both.
    text: `
      select extract(epoch from date_bin('1 day', at, 'epoch'))::text, model, region,
        coalesce(sum(runs) filter (where status between 200 and 399 and not code = any($5)), 0)::text,
        coalesce(sum(runs) filter (where status >= 500 or code = any($5)), 0)::text
      from (
        select f.at, s.model, s.region, s.status, s.code, f.runs
        from figure_series s join figures f on f.series_id = s.id
        where s.account_id = $1 and s.set = $2 and s.kind = any($3) and f.step = 'day' and f.at >= $4
        union all
        select at, model, region, status, code, runs from figure_additions
        where set = $2 and kind = any($3) and at >= $4
      ) as counted
      group by 1, model, region`,
    values: [everyAccount, set, kinds, new Date(startOf("day", fromMs)), upstreamFailureCodes],
  });
  return rows.map(([at, model, region, good, faults]) => ({
    at: Number(at) * 1000,
    model,
    region,
    good: Number(good),
    faults: Number(faults),
  }));
}
