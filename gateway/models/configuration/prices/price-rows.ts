import type { ApiType, RegionName } from "#contract/catalog-constants.ts";
import { newId } from "#contract/ids.ts";
import { componentsProblem } from "#contract/money/components.ts";
import { unitOfKind } from "#contract/money/constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Price, PriceComponent } from "#contract/operator/prices.ts";
import type { PriceEntry } from "#gateway/models/providers/file/schema.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { prices } from "#gateway/platform/database/schema.ts";

export type PriceRow = typeof prices.$inferSelect;

/** What a price applies to. */
export type PriceScope = Pick<PriceRow, "accountId" | "model" | "apiType" | "provider" | "region">;

/** A row with the fields that depend on other rows. */
export interface ListedPrice extends PriceRow {
  endsAt: Date | null;
  isOverridden: boolean;
}

export function newPriceRow(
  scope: PriceScope,
  components: readonly PriceComponent[] | null,
  { source, effectiveAt, createdAt }: Pick<PriceRow, "source" | "effectiveAt" | "createdAt">,
): PriceRow {
  const { accountId, model, apiType, provider, region } = scope;
  return {
    id: newId("price"),
    accountId,
    model,
    apiType,
    provider,
    region,
    components: components?.map(written) ?? null,
    source,
    effectiveAt,
    createdAt,
  };
}

/** What a price of a file applies to. */
export function scopeOfCost({ model, api_type, provider = null, region = null }: PriceEntry): PriceScope {
  return { accountId: null, model, apiType: api_type, provider, region };
}

export function scopeKey({ model, apiType, provider, region }: PriceScope): string {
  return JSON.stringify([model, apiType, provider, region]);
}

/** The newest version of each cost price from this source that has begun. */
export async function latestPrices(queries: Queries, source: PriceRow["source"]): Promise<PriceRow[]> {
  const { accountId, model, apiType, provider, region, effectiveAt, id } = prices;
  return queries
    .selectDistinctOn([model, apiType, provider, region])
    .from(prices)
    .where(sql`${prices.source} = ${source} and ${accountId} is null and ${effectiveAt} <= ${clock.date()}`)
    .orderBy(model, apiType, provider, region, sql`${effectiveAt} desc`, sql`${id} desc`);
}

/** Building the statement for more rows would hold up other requests. */
const rowsAtOnce = 250;

export async function insertPrices(queries: Queries, rows: readonly PriceRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await queries.insert(prices).values(rows.slice(at, at + rowsAtOnce));
}

/** Whether two prices have the same components; null is no price, and an empty one ends a price. */
export function isSamePrice(one: PriceRow["components"], other: PriceRow["components"]): boolean {
  return canonical(one) === canonical(other);
}

/** Sorted, because the database does not keep the order of an object's fields. */
function canonical(components: PriceRow["components"]): string {
  if (!components) return "";
  return JSON.stringify(
    components.map(({ kind, per, rate, when }) => [kind, per, rate, Object.entries(when ?? {}).sort()]),
  );
}

/** Writes a component in normal form, however it was typed. */
function written({ kind, per, rate, when }: PriceComponent): PriceComponent {
  return { kind, unit: unitOfKind[kind], per, rate: decimalText(decimalOf(rate)), ...(when && { when }) };
}

/** Throws `invalid_parameter` for problems that the schema does not catch; `whose` begins the message. */
export function assertComponents(components: readonly PriceComponent[], at = "", whose = ""): void {
  const problem = componentsProblem(components);
  if (!problem) return;
  const param = `${at}components[${problem.at}]`;
  throw invalidParameter(problem.isUnit ? `${param}.unit` : param, `${whose}${param}: ${problem.words}`);
}

export function priceView(row: ListedPrice, currency: string, nowMs: number): Price {
  return {
    id: row.id,
    object: "price",
    model: row.model,
    api_type: row.apiType as ApiType,
    provider: row.provider,
    region: row.region as RegionName | null,
    account_id: row.accountId,
    components: (row.components ?? []).map((component) => ({
      ...component,
      unit: unitOfKind[component.kind],
    })),
    currency,
    managed_by: row.source,
    status: statusOf(row, nowMs),
    effective_at: row.effectiveAt.toISOString(),
    ends_at: row.endsAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

function statusOf({ effectiveAt, endsAt, isOverridden }: ListedPrice, nowMs: number): Price["status"] {
  if (endsAt && endsAt.getTime() <= nowMs) return "replaced";
  if (isOverridden) return "overridden_by_file";
  return effectiveAt.getTime() > nowMs ? "scheduled" : "in_force";
}
