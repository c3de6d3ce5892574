import type { Price, PriceCreate } from "#contract/operator/prices.ts";
import type { Caller } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { accounts, prices } from "#gateway/platform/database/schema.ts";
import { changeConfiguration } from "../change.ts";
import { priceViews } from "./list.ts";
import { assertComponents, newPriceRow, type PriceRow } from "./price-rows.ts";

/**
 * Sets or removes a price: the version follows the one before of the same scope, which is never changed. Throws `invalid_parameter` for another
 * currency, a time that has passed, components that contradict each other, and an unknown account.
 */
export async function createPrice(context: Context, caller: Caller, wish: PriceCreate): Promise<Price> {
  const [price] = await setPrices(context, caller, [wish], "price.created");
  if (!price) throw new Error("The price was not saved");
  return price;
}

/** Sets many in one change, all or none. Throws as `createPrice`, naming the place. */
export async function importPrices(
  context: Context,
  caller: Caller,
  wishes: readonly PriceCreate[],
): Promise<Price[]> {
  return setPrices(context, caller, wishes, "prices.imported");
}

async function setPrices(
  context: Context,
  caller: Caller,
  wishes: readonly PriceCreate[],
  action: "price.created" | "prices.imported",
): Promise<Price[]> {
  const isOne = action === "price.created";
  for (const [index, wish] of wishes.entries()) assertWish(context, wish, isOne ? "" : `prices[${index}].`);
  return changeConfiguration(context, caller, async (queries) => {
    await assertAccounts(queries, wishes);
    // In the transaction that holds the lock of the configuration: versions begin in the order of their ids.
    const now = clock.date();
    const rows = inOrder(wishes.map((wish) => rowOf(wish, now)));
    await queries.insert(prices).values(rows);
    const [first] = rows;
    return {
      action,
      targetId: isOne && first ? first.id : "prices",
      touches: rows.map(({ id }) => id),
      before: null,
      after: isOne && first ? { ...first } : { prices: rows.length },
      result: await priceViews(context, queries, rows),
    };
  });
}

/** Of two rows of one scope the later one holds: versions that begin together hold in the order of their ids. */
function inOrder(rows: readonly PriceRow[]): PriceRow[] {
  const ids = rows.map(({ id }) => id).sort();
  return rows.map((row, at) => ({ ...row, id: ids[at] ?? row.id }));
}

function rowOf(wish: PriceCreate, now: Date): PriceRow {
  const { account_id: accountId = null, model, api_type: apiType, provider = null, region = null } = wish;
  const scope = { accountId, model, apiType, provider, region };
  const effectiveAt = wish.effective_at === undefined ? now : new Date(wish.effective_at);
  return newPriceRow(scope, wish.components, { source: "console", effectiveAt, createdAt: now });
}

function assertWish({ config }: Context, wish: PriceCreate, at: string): void {
  // Of many, the model says more than the place.
  assertComponents(wish.components ?? [], at, at === "" ? "" : `${wish.model}: `);
  if (wish.currency !== undefined && wish.currency !== config.currency)
    throw new ApiError(
      "invalid_parameter",
      `${at}currency must be ${config.currency}, the one of this installation (CURRENCY). Amounts are never converted.`,
      { param: `${at}currency` },
    );
  assertNotPast(wish.effective_at, `${at}effective_at`);
}

/** What has run keeps its price. Throws `invalid_parameter`. */
export function assertNotPast(effectiveAt: string | undefined, param: string): void {
  if (effectiveAt !== undefined && !(Date.parse(effectiveAt) >= clock.now()))
    throw new ApiError(
      "invalid_parameter",
      `${param} must be a time to come: what has run keeps its price. Leave it out for now.`,
      { param },
    );
}

async function assertAccounts(queries: Queries, wishes: readonly PriceCreate[]): Promise<void> {
  await assertAccountsExist(queries, new Set(wishes.flatMap(({ account_id: id }) => id ?? [])));
}

/** Throws `invalid_parameter`. */
export async function assertAccountsExist(queries: Queries, ids: ReadonlySet<string>): Promise<void> {
  if (ids.size === 0) return;
  const rows = await queries
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]));
  const known = new Set(rows.map(({ id }) => id));
  const unknown = [...ids].find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new ApiError("invalid_parameter", `There is no account "${unknown}".`, { param: "account_id" });
}
