import type {
  Price,
  PriceCreate,
  PriceImport,
  PriceImported,
  RefusedPrice,
} from "#contract/operator/prices.ts";
import type { Context } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
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
  assertWish(context, wish, "");
  await assertAccountsExist(context.database.queries, new Set(wish.account_id ? [wish.account_id] : []));
  const [price] = await setPrices(context, caller, [wish], "price.created");
  if (!price) throw new Error("The price was not saved");
  return price;
}

/**
 * Sets many in one change. All or none: throws as `createPrice`, naming the place; or those that are valid, beside `refused`, the
 * rows that the schema refused already, whose places `wishes` leaves out.
 */
export async function importPrices(
  context: Context,
  caller: Caller,
  { prices: wishes, skip_invalid: skips = false }: PriceImport,
  refusedBefore: readonly RefusedPrice[],
): Promise<PriceImported> {
  if (wishes.length === 0 && refusedBefore.length === 0)
    throw new ApiError("invalid_parameter", "prices needs at least one price.", { param: "prices" });
  const known = await knownAccounts(
    context.database.queries,
    new Set(wishes.flatMap(({ account_id: id }) => id ?? [])),
  );
  const refused = [...refusedBefore];
  const places = placesOf(wishes.length, refusedBefore);
  const valid = wishes.filter((wish, at) => {
    const row = places[at] ?? at;
    try {
      assertWish(context, wish, skips ? "" : `prices[${row}].`);
      if (wish.account_id && !known.has(wish.account_id)) throw unknownAccount(wish.account_id);
      return true;
    } catch (error) {
      if (!skips || !(error instanceof ApiError)) throw error;
      refused.push({ row, model: wish.model, message: error.message });
      return false;
    }
  });
  const data = valid.length === 0 ? [] : await setPrices(context, caller, valid, "prices.imported");
  return { object: "list", data, refused: refused.toSorted((one, other) => one.row - other.row) };
}

/** Where the rows stood before those that the schema refused were left out. */
function placesOf(count: number, refused: readonly RefusedPrice[]): number[] {
  const taken = new Set(refused.map(({ row }) => row));
  return Array.from({ length: count + refused.length }, (_, at) => at).filter((at) => !taken.has(at));
}

async function setPrices(
  context: Context,
  caller: Caller,
  wishes: readonly PriceCreate[],
  action: "price.created" | "prices.imported",
): Promise<Price[]> {
  const isOne = action === "price.created";
  return changeConfiguration(context, caller, async (queries) => {
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

/** Throws `invalid_parameter`. */
export async function assertAccountsExist(queries: Queries, ids: ReadonlySet<string>): Promise<void> {
  const known = await knownAccounts(queries, ids);
  const unknown = [...ids].find((id) => !known.has(id));
  if (unknown !== undefined) throw unknownAccount(unknown);
}

async function knownAccounts(queries: Queries, ids: ReadonlySet<string>): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const rows = await queries
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...ids]));
  return new Set(rows.map(({ id }) => id));
}

function unknownAccount(id: string): ApiError {
  return new ApiError("invalid_parameter", `There is no account "${id}".`, { param: "account_id" });
}
