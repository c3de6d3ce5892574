import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { UsageCost, UsageGroup } from "#contract/usage.ts";
import type { Queries } from "#gateway/database/database.ts";
import { and, eq, gte, inArray, lte, type SQL, sql } from "#gateway/database/drizzle.ts";
import { accounts, apiKeys, usageSums as sums } from "#gateway/database/schema.ts";

/** About 32 models over a quarter of a year: more rows are of no use in one answer. */
const maxRows = 5_000;

/** Which sums: all of these hold. */
export interface SumsWanted {
  /** Absent: of all accounts. */
  accountId?: string | undefined;
  /** Ids of keys and users whose runs count. Absent: everybody's. */
  payers?: readonly (readonly string[])[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  batchId?: string | undefined;
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

/** What the operator pays and what the accounts pay, as the database adds them up. */
export interface Sides {
  cost: string | null;
  cost_not_priced: number;
  charge: string | null;
  charge_not_priced: number;
}

const amounts = sql`sum(${sums.runs})::int as requests,
  sum(${sums.cost})::text as cost, coalesce(sum(${sums.runs}) filter (where ${sums.cost} is null), 0)::int as cost_not_priced,
  sum(${sums.charge})::text as charge,
  coalesce(sum(${sums.runs}) filter (where ${sums.charge} is null), 0)::int as charge_not_priced`;

/** Adds up the sums of days, a row for each group and unit; the newest or the dearest first. It reads no lines. */
export async function readSums(
  queries: Queries,
  wanted: SumsWanted,
  groups: readonly (UsageGroup | "account")[],
): Promise<{ rows: SumsRow[]; hasMore: boolean; total: Sides & { requests: number } }> {
  const names = new Map<Field, SQL>(groups.flatMap((group) => fieldsOf[group]));
  const fields = [...names].map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
  const places = sql.raw(Array.from({ length: names.size + 1 }, (_, index) => index + 1).join(", "));
  const dearest = sql`sum(${sums.charge}) desc nulls last`;
  const order = groups.includes("day")
    ? sql`day desc, ${dearest}, ${places}`
    : sql`${dearest}, sum(${sums.quantity}) desc, ${places}`;
  const from = sql`${sums}
    ${names.has("user_id") ? sql`left join ${apiKeys} on ${apiKeys.id} = ${sums.keyId}` : sql``}
    ${names.has("account_id") ? sql`join ${accounts} on ${accounts.id} = ${sums.accountId}` : sql``}
    where ${whereOf(wanted)}`;
  const { rows } = await queries.execute<SumsRow & Record<string, unknown>>(sql`
    select ${sql.join([...fields, sql`${sums.unit}`], sql`, `)}, sum(${sums.quantity})::float8 as quantity, ${amounts}
    from ${from} group by ${places} order by ${order} limit ${maxRows + 1}`);
  const { rows: totals } = await queries.execute<
    Sides & { requests: number | null } & Record<string, unknown>
  >(sql`
    select ${amounts} from ${sums} where ${whereOf(wanted)}`);
  const [total] = totals;
  if (!total) throw new Error("the sum of usage returned no row");
  return {
    rows: rows.slice(0, maxRows),
    hasMore: rows.length > maxRows,
    total: { ...total, requests: total.requests ?? 0 },
  };
}

export function whereOf({ accountId, payers, from, to, model, provider, batchId }: SumsWanted): SQL {
  const all = and(
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

/** What the accounts pay, as the API says it. */
export function chargeOf(
  { charge, charge_not_priced }: Pick<Sides, "charge" | "charge_not_priced">,
  currency: string,
): UsageCost {
  return { amount: exact(charge), currency, not_priced: charge_not_priced };
}

/** What the operator pays. */
export function costOf(
  { cost, cost_not_priced }: Pick<Sides, "cost" | "cost_not_priced">,
  currency: string,
): UsageCost {
  return { amount: exact(cost), currency, not_priced: cost_not_priced };
}

/** Without the zeros that the database keeps at the end. */
export function exact(amount: string | null): string | null {
  return amount === null ? null : decimalText(decimalOf(amount));
}

/** The groups that a query names, each once. */
export function groupsIn<Group extends string>(text: string | undefined, usual: readonly Group[]): Group[] {
  return text === undefined ? [...usual] : [...new Set(text.split(",") as Group[])];
}
