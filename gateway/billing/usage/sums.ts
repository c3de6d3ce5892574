import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { UsageCost, UsageGroup } from "#contract/usage.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gte, inArray, lte, ne, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accounts,
  apiKeys,
  usageSums as sums,
  usageByMetadata,
  usageModelDays,
} from "#gateway/platform/database/schema.ts";
import { failedUnit } from "./lines.ts";

/** About 32 models over a quarter of a year; more rows in one answer would be useless. */
const maxRows = 5_000;

/** Which sums to read; all conditions apply. */
export interface SumsWanted {
  /** Absent: all accounts. */
  accountId?: string | undefined;
  /** Ids of keys and users whose runs count. Absent: all. */
  payers?: readonly (readonly string[])[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  batchId?: string | undefined;
  /**
   * Only runs with this pair of one of the account's summed keys; these sums distinguish only days and
   * models.
   */
  pair?: { key: string; value: string } | undefined;
  /** True to include the cost of failed attempts, which only operators see. */
  withFailedTries?: boolean;
}

type Field =
  | "day"
  | "account_id"
  | "account_name"
  | "model"
  | "key_id"
  | "user_id"
  | "provider"
  | "region"
  | "kind"
  | "batch_id";

const isUser = sql`${sums.keyId} like 'usr\\_%'`;
const member = sql`case when ${isUser} then ${sums.keyId} else ${apiKeys.userId} end`;

const fieldsOf: Record<UsageGroup | "account", readonly (readonly [Field, SQL])[]> = {
  account: [
    ["account_id", sql`${sums.accountId}`],
    ["account_name", sql`${accounts.name}`],
  ],
  day: [["day", sql`${sums.day}`]],
  model: [["model", sql`${sums.model}`]],
  key: [
    ["key_id", sql`case when ${sums.keyId} like 'key\\_%' then ${sums.keyId} end`],
    ["user_id", member],
  ],
  member: [["user_id", member]],
  provider: [["provider", sql`nullif(${sums.provider}, '')`]],
  region: [["region", sql`nullif(${sums.region}, '')`]],
  kind: [["kind", sql`${sums.kind}`]],
  batch: [["batch_id", sql`nullif(${sums.batchId}, '')`]],
};

/** A row of sums with the fields that it is grouped by. */
export type SumsRow = { [Name in Field]?: string } & {
  unit: string;
  quantity: number;
  requests: number;
} & Sides;

/** The operator's cost and the accounts' charge, as the database's sums. */
export interface Sides {
  cost: string | null;
  cost_not_priced: number;
  charge: string | null;
  charge_not_priced: number;
}

/** The columns of the sums behind each group. */
const columnsOf: Record<UsageGroup | "account", string> = {
  account: "account_id",
  day: "day",
  model: "model",
  key: "key_id",
  member: "key_id",
  provider: "provider",
  region: "region",
  kind: "kind",
  batch: "batch_id",
};

/** The sums to read, and how their rows add up to those of a group. */
interface Source {
  from: SQL;
  added: SQL;
}

/** Columns that add up rows of the sums. */
const added = sql`sum(runs) as runs, sum(cost) as cost, sum(runs) filter (where cost is null) as cost_not_priced,
  sum(charge) as charge, sum(runs) filter (where charge is null) as charge_not_priced`;
/** The table of sums by account, day, model and unit, which has far fewer rows. */
const modelDays: Source = {
  from: sql`${usageModelDays} usage_sums`,
  added: sql`sum(runs) as runs, sum(cost) as cost, sum(cost_not_priced) as cost_not_priced, sum(charge) as charge,
    sum(charge_not_priced) as charge_not_priced`,
};
const groupsOfModelDays: Groups = ["account", "day", "model"];
const amounts = sql`coalesce(sum(runs), 0)::int as requests, sum(cost)::text as cost, coalesce(sum(cost_not_priced), 0)::int as cost_not_priced,
  sum(charge)::text as charge, coalesce(sum(charge_not_priced), 0)::int as charge_not_priced`;

interface Sums {
  rows: SumsRow[];
  hasMore: boolean;
  total: Total;
}

type Total = Sides & { requests: number };
type Groups = readonly (UsageGroup | "account")[];

/** Adds up the daily sums: one row per group and unit, newest or most expensive first. Reads no lines. */
export async function readSums(queries: Queries, wanted: SumsWanted, groups: Groups): Promise<Sums> {
  const [source, where] = [sourceOf(wanted, groups), whereOf(wanted)];
  if (
    groups.includes("day") &&
    groups.length > 1 &&
    (await areManyGroups(queries, source.from, where, groups))
  )
    return readNewestDays(queries, source, where, groups);
  const read = (queries: Queries) => readGroups(queries, source, where, groups);
  const rows = await (groups.length > 1 ? inMemory(queries, read) : read(queries));
  return {
    rows: rows.slice(0, maxRows).map(({ total: _, ...row }) => row),
    hasMore: rows.length > maxRows,
    total: rows[0]?.total ?? totalOf([]),
  };
}

function sourceOf(wanted: SumsWanted, groups: Groups): Source {
  const { payers = [], provider, batchId, pair } = wanted;
  const isByModel =
    payers.length === 0 &&
    !pair &&
    provider === undefined &&
    batchId === undefined &&
    groups.every((group) => groupsOfModelDays.includes(group));
  return isByModel ? modelDays : { from: sumsOf(wanted), added };
}

/**
 * How many sums are read first. The number of groups found in them shows how many days are needed, multiplied
 * by a margin.
 */
const firstSums = 10_000;
const toSpare = 1.2;

/**
 * Gives PostgreSQL more memory for groups by two or more fields: with its default of 4 MB, about ten thousand
 * groups would be written to disk.
 */
function inMemory<Result>(queries: Queries, read: (queries: Queries) => Promise<Result>): Promise<Result> {
  return queries.transaction(async (own) => {
    await own.execute(sql`set local work_mem = '12MB'`);
    return read(own);
  });
}

/**
 * If the average group has at least this many sums, there are few groups, so all of them are made in one
 * pass.
 */
const sumsOfFewGroups = 20;

/** Whether the newest sums fall into so many groups that reading the newest days is enough. */
async function areManyGroups(queries: Queries, from: SQL, where: SQL, groups: Groups): Promise<boolean> {
  const columns = sql.raw(columnNames(groups));
  const { rows } = await queries.execute<{ sums: number; groups: number }>(sql`
    select count(*)::int as sums, count(distinct (${columns}))::int as groups
    from (select ${columns} from ${from} where ${where} order by day desc limit ${firstSums}) newest`);
  const [newest] = rows;
  return newest !== undefined && newest.sums === firstSums && newest.groups * sumsOfFewGroups > newest.sums;
}

function columnNames(groups: Groups): string {
  return [...new Set(groups.map((group) => columnsOf[group])), "unit"].join(", ");
}

/**
 * Groups only as many days as fit into the answer, because a year of a large installation has too many
 * groups.
 */
async function readNewestDays(queries: Queries, source: Source, where: SQL, groups: Groups): Promise<Sums> {
  const { from, added } = source;
  const { rows: days } = await queries.execute<
    Total & { day: string; sums: number } & Record<string, unknown>
  >(sql`
    select day, sum(sums)::int as sums, ${amounts} from
      (select day, count(*) as sums, ${added} from ${from} where ${where} group by day) days
    group by day order by day desc`);
  const rows: SumsRow[] = [];
  let [read, wantedSums] = [0, firstSums];
  for (let at = 0; at < days.length && rows.length <= maxRows; ) {
    const newest = days[at]?.day;
    let oldest = newest;
    for (let taken = 0; at < days.length && taken < wantedSums; at += 1) {
      taken += days[at]?.sums ?? 0;
      oldest = days[at]?.day;
      read += days[at]?.sums ?? 0;
    }
    const between = sql`${where} and day between ${oldest} and ${newest}`;
    const grouped = await readGroups(queries, source, between, groups);
    rows.push(...grouped.map(({ total: _, ...row }) => row));
    wantedSums = Math.ceil((maxRows + 1 - rows.length) * (read / Math.max(rows.length, 1)) * toSpare);
  }
  return { rows: rows.slice(0, maxRows), hasMore: rows.length > maxRows, total: totalOf(days) };
}

function totalOf(days: readonly Total[]): Total {
  const count = (of: "requests" | "cost_not_priced" | "charge_not_priced") =>
    days.reduce((sum, day) => sum + day[of], 0);
  const amount = (of: "cost" | "charge") => {
    const known = days.flatMap((day) => day[of] ?? []);
    return known.length === 0 ? null : decimalText(known.reduce((sum, text) => sum + decimalOf(text), 0n));
  };
  return {
    requests: count("requests"),
    cost: amount("cost"),
    cost_not_priced: count("cost_not_priced"),
    charge: amount("charge"),
    charge_not_priced: count("charge_not_priced"),
  };
}

/**
 * One row more than an answer has, to detect whether there are more, each row with the overall total. The
 * sums are read once; names are joined to groups, which are far fewer.
 */
async function readGroups(
  queries: Queries,
  { from, added }: Source,
  where: SQL,
  groups: Groups,
): Promise<(SumsRow & { total: Total })[]> {
  const names = new Map<Field, SQL>(groups.flatMap((group) => fieldsOf[group]));
  const fields = [...names].map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  const places = sql.raw(Array.from({ length: names.size + 1 }, (_, index) => index + 1).join(", "));
  const columns = sql.raw(columnNames(groups));
  const dearest = sql`sum(${sums.charge}) desc nulls last`;
  const order = groups.includes("day")
    ? sql`day desc, ${dearest}, ${places}`
    : sql`${dearest}, sum(${sums.quantity}) desc, ${places}`;
  const { rows } = await queries.execute<SumsRow & { total: Total } & Record<string, unknown>>(sql`
    with grouped as materialized (
      select ${columns}, sum(quantity) as quantity, ${added} from ${from} where ${where} group by ${columns}
    )
    select ${sql.join([...fields, sql`${sums.unit}`], sql`, `)}, sum(${sums.quantity})::float8 as quantity, ${amounts},
      (select to_json(total) from (select ${amounts} from grouped) total) as total
    from grouped usage_sums
    ${names.has("user_id") ? sql`left join ${apiKeys} on ${apiKeys.id} = ${sums.keyId}` : sql``}
    ${names.has("account_id") ? sql`join ${accounts} on ${accounts.id} = ${sums.accountId}` : sql``}
    group by ${places} order by ${order} limit ${maxRows + 1}`);
  return rows;
}

/** The sums to read, as `usage_sums`. Days are listed, so that the primary key finds the pair on each day. */
export function sumsOf({ accountId, from, to, pair }: SumsWanted): SQL {
  if (!pair) return sql`${sums}`;
  return sql`(
    select account_id, day, model, '' as provider, '' as region, unit as kind, unit, '' as price_id, '' as selling_id,
      '' as batch_id, '' as key_id, quantity, requests as runs, cost, charge
    from ${usageByMetadata} where account_id = ${accountId} and key = ${pair.key} and value = ${pair.value}
      and day = any(array(
        select day from (
          select to_char(generate_series(min(day)::date, max(day)::date, '1 day'), 'YYYY-MM-DD') as day
          from ${usageByMetadata} where account_id = ${accountId}
        ) days where day >= ${from ?? ""} and day <= ${to ?? afterDays}
      ))
  ) usage_sums`;
}

/** A value that sorts after every day. */
const afterDays = "~";

export function whereOf(wanted: SumsWanted): SQL {
  const { accountId, payers, from, to, model, provider, batchId, withFailedTries } = wanted;
  const all = and(
    withFailedTries ? undefined : ne(sums.unit, failedUnit),
    accountId === undefined ? undefined : eq(sums.accountId, accountId),
    ...(payers ?? []).map((ids) => inArray(sums.keyId, [...ids])),
    from === undefined ? undefined : gte(sums.day, from),
    to === undefined ? undefined : lte(sums.day, to),
    model === undefined ? undefined : eq(sums.model, model),
    provider === undefined ? undefined : eq(sums.provider, provider),
    batchId === undefined ? undefined : eq(sums.batchId, batchId),
  );
  return all ?? sql`true`;
}

/** The accounts' charge, in the API's form. */
export function chargeOf(
  { charge, charge_not_priced }: Pick<Sides, "charge" | "charge_not_priced">,
  currency: string,
): UsageCost {
  return { amount: exact(charge), currency, not_priced: charge_not_priced };
}

/** The operator's cost, in the API's form. */
export function costOf(
  { cost, cost_not_priced }: Pick<Sides, "cost" | "cost_not_priced">,
  currency: string,
): UsageCost {
  return { amount: exact(cost), currency, not_priced: cost_not_priced };
}

/** Removes the trailing zeros of the database. */
export function exact(amount: string | null): string | null {
  return amount === null ? null : decimalText(decimalOf(amount));
}

/** The groups in a query, without duplicates. */
export function groupsIn<Group extends string>(text: string | undefined, usual: readonly Group[]): Group[] {
  return text === undefined ? [...usual] : [...new Set(text.split(",") as Group[])];
}
