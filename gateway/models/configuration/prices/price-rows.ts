import type { ApiType, RegionName } from "#contract/catalog-constants.ts";
import { newId } from "#contract/ids.ts";
import { componentsProblem } from "#contract/money/components.ts";
import { unitOfKind } from "#contract/money/constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Price, PriceComponent } from "#contract/operator/prices.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { prices } from "#gateway/platform/database/schema.ts";

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
