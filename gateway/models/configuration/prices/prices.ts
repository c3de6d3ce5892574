import type { FastifyReply, FastifyRequest } from "fastify";
import { compileBody } from "#contract/checks/request-check.ts";
import { newId } from "#contract/ids.ts";
import { priceLimits } from "#contract/money/constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import {
  type Markup,
  type MarkupCreate,
  type MarkupList,
  operatorPriceRoutes,
  type Price,
  PriceCreate,
  type PriceImport,
  type PriceImported,
  type PriceList,
  type PriceQuery,
  type RefusedPrice,
} from "#contract/operator/prices.ts";
import { operatorRunCost } from "#gateway/billing/usage/run-cost.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { desc, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { accounts, markups, prices } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { validationError } from "#gateway/platform/http/validation.ts";
import { clientLeft } from "#gateway/platform/http/when-closed.ts";
import { changeConfiguration } from "../change.ts";
import {
  assertComponents,
  insertPrices,
  type ListedPrice,
  newPriceRow,
  type PriceRow,
  priceView,
} from "./price-rows.ts";

const scope = sql.raw("account_id, model, api_type, provider, region");

/** The cost of models, and the prices that accounts pay. */
export function installOperatorPrices(app: App, context: ModelsContext): void {
  serve(
    app,
    context,
    operatorPriceRoutes,
    {
      "GET /operator/prices": (request) => listPrices(context, request.query),
      "POST /operator/prices": (request) => createPrice(context, request.caller, request.body),
      "POST /operator/prices/import": (request) =>
        importPrices(context, request.caller, request.body, refusedRows.get(request) ?? []),
      "GET /operator/markups": (request) => listMarkups(context.database.queries, request.query.account_id),
      "POST /operator/markups": (request) => createMarkup(context, request.caller, request.body),
      "GET /operator/runs/{id}/cost": (request) => operatorRunCost(context, request.params.id),
    },
    { "POST /operator/prices/import": { preValidation: leaveOutInvalid } },
  );
}

/** The versions of all prices, newest first. */
async function listPrices(
  { config, configuration, database }: ModelsContext,
  query: PriceQuery,
): Promise<PriceList> {
  const { model, api_type: apiType, provider, account_id: account, current } = query;
  const page = keyset("price", prices.id, query, [
    sql`${prices.components} is not null`,
    model === undefined ? undefined : sql`${prices.model} = ${model}`,
    apiType === undefined ? undefined : sql`${prices.apiType} = ${apiType}`,
    provider === undefined ? undefined : sql`${prices.provider} = ${provider}`,
    account === undefined
      ? undefined
      : account === "none"
        ? sql`${prices.accountId} is null`
        : sql`${prices.accountId} = ${account}`,
    current === true ? sql`${prices.id} in (${currentIds(model, apiType)})` : undefined,
  ]);
  const { queries } = database;
  const list = await readPage(queries, page, queries.select().from(prices).$dynamic(), (rows) =>
    priceViews({ config }, queries, rows),
  );
  return {
    ...list,
    currency: config.currency,
    file: configuration.pricesFile,
  };
}

/** The views of these rows, in their order. */
async function priceViews(
  { config }: Pick<ModelsContext, "config">,
  queries: Queries,
  rows: readonly PriceRow[],
): Promise<Price[]> {
  const complete = await listed(queries, rows);
  const now = clock.now();
  return complete.map((row) => priceView(row, config.currency, now));
}

/** Adds the fields that depend on other versions of the same models. */
async function listed(queries: Queries, rows: readonly PriceRow[]): Promise<ListedPrice[]> {
  if (rows.length === 0) return [];
  const models = [...new Set(rows.map(({ model }) => model))];
  const { rows: found } = await queries.execute<{
    id: string;
    endsAtMs: string | null;
    isOverridden: boolean;
  }>(
    sql`select id, extract(epoch from ends_at) * 1000 as "endsAtMs", is_overridden as "isOverridden"
      from (${nextVersions(sql`${prices.model} = any (${sql.param(models)}::text[])`)}) versions
      where id = any (${sql.param(rows.map(({ id }) => id))}::text[])`,
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  return rows.map((row) => {
    const { endsAtMs = null, isOverridden = false } = byId.get(row.id) ?? {};
    return { ...row, endsAt: endsAtMs === null ? null : new Date(Number(endsAtMs)), isOverridden };
  });
}

/**
 * When the next version of the same scope begins, and whether the file currently sets the scope. One pass
 * over all of them: a subquery per row would take quadratic time.
 */
function nextVersions(where: SQL): SQL {
  return sql`select id, ends_at, source = 'console' and bool_or(source = 'file' and components is not null
      and effective_at <= now() and (ends_at is null or ends_at > now())) over (partition by ${scope}) as is_overridden
    from (select *, lead(effective_at) over (partition by ${scope}, source order by effective_at, id) as ends_at
      from ${prices} where ${where}) prices`;
}

/** The newest version of each scope that has begun. */
function currentIds(model: string | undefined, apiType: string | undefined): SQL {
  const where = sql`${model === undefined ? sql`true` : sql`${prices.model} = ${model}`}
    and ${apiType === undefined ? sql`true` : sql`${prices.apiType} = ${apiType}`}`;
  return sql`select id from (${nextVersions(where)}) versions where ends_at is null or ends_at > now()`;
}

const isPrice = compileBody(PriceCreate);

/** An error names a refused row by its model, cut to this many characters. */
const maxNameLength = 200;

/** The rows that the schema refused, for imports that skip invalid rows. */
const refusedRows = new WeakMap<FastifyRequest, RefusedPrice[]>();

/**
 * One invalid row would make the schema refuse the whole body, so with `skip_invalid` such rows are removed
 * before the check.
 */
async function leaveOutInvalid(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const body = request.body as { prices?: unknown; skip_invalid?: unknown };
  const { prices, skip_invalid: skips } = body;
  if (skips !== true || !Array.isArray(prices) || prices.length > priceLimits.atOnce) return;
  const valid: unknown[] = [];
  const refused: RefusedPrice[] = [];
  const pause = yieldToEventLoop(clientLeft(reply.raw));
  for (const [row, price] of prices.entries()) {
    await pause();
    if (isPrice(price)) {
      valid.push(price);
      continue;
    }
    const { model } = Object(price) as { model?: unknown };
    const name = typeof model === "string" ? model.slice(0, maxNameLength) : null;
    refused.push({ row, model: name, message: validationError(isPrice.errors ?? [], "row").message });
  }
  body.prices = valid;
  refusedRows.set(request, refused);
}

/**
 * Sets or removes a price. The new version follows the previous one of the same scope, which never changes.
 * Throws `invalid_parameter` for another currency, a time in the past, contradicting components, and an
 * unknown account.
 */
async function createPrice(context: ModelsContext, caller: Caller, requested: PriceCreate): Promise<Price> {
  assertPriceRequest(context, requested, "");
  await assertAccountsExist(
    context.database.queries,
    new Set(requested.account_id ? [requested.account_id] : []),
  );
  const [price] = await setPrices(context, caller, [requested], "price.created");
  if (!price) throw new Error("The price was not saved");
  return price;
}

/**
 * Sets many prices in one change. Without `refused`, either all are set or none: throws the errors of
 * `createPrice`, naming the place. With `refused`, invalid rows are skipped: it lists the rows that the
 * schema already refused and that `rows` no longer contains.
 */
async function importPrices(
  context: ModelsContext,
  caller: Caller,
  { prices: rows, skip_invalid: skips = false }: PriceImport,
  refusedBefore: readonly RefusedPrice[],
): Promise<PriceImported> {
  if (rows.length === 0 && refusedBefore.length === 0)
    throw invalidParameter("prices", "`prices` needs at least one price.");
  const known = await knownAccounts(
    context.database.queries,
    new Set(rows.flatMap(({ account_id: id }) => id ?? [])),
  );
  const refused = [...refusedBefore];
  const places = placesOf(rows.length, refusedBefore);
  const valid = rows.filter((requested, at) => {
    const row = places[at] ?? at;
    try {
      assertPriceRequest(context, requested, skips ? "" : `prices[${row}].`);
      if (requested.account_id && !known.has(requested.account_id))
        throw unknownAccount(requested.account_id);
      return true;
    } catch (error) {
      if (!skips || !(error instanceof ApiError)) throw error;
      refused.push({ row, model: requested.model, message: error.message });
      return false;
    }
  });
  const data = valid.length === 0 ? [] : await setPrices(context, caller, valid, "prices.imported");
  const models = new Set(data.map(({ model }) => model));
  return {
    object: "list",
    data,
    refused: refused.toSorted((one, other) => one.row - other.row),
    unknown_models: [...models].filter((model) => !context.catalog.has(model, everyone)),
  };
}

/** The row numbers in the request, which also contained the refused rows. */
function placesOf(count: number, refused: readonly RefusedPrice[]): number[] {
  const taken = new Set(refused.map(({ row }) => row));
  return Array.from({ length: count + refused.length }, (_, at) => at).filter((at) => !taken.has(at));
}

async function setPrices(
  context: ModelsContext,
  caller: Caller,
  requests: readonly PriceCreate[],
  action: "price.created" | "prices.imported",
): Promise<Price[]> {
  const isOne = action === "price.created";
  return changeConfiguration(context, caller, async (queries) => {
    // This transaction holds the configuration's lock, so versions begin in the order of their ids.
    const now = clock.date();
    const rows = inOrder(requests.map((requested) => rowOf(requested, now)));
    await insertPrices(queries, rows);
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

/**
 * Of two rows with the same scope the later one wins: versions that begin together apply in the order of
 * their ids.
 */
function inOrder(rows: readonly PriceRow[]): PriceRow[] {
  const ids = rows.map(({ id }) => id).sort();
  return rows.map((row, at) => ({ ...row, id: ids[at] ?? row.id }));
}

function rowOf(requested: PriceCreate, now: Date): PriceRow {
  const {
    account_id: accountId = null,
    model,
    api_type: apiType,
    provider = null,
    region = null,
  } = requested;
  const scope = { accountId, model, apiType, provider, region };
  const effectiveAt = requested.effective_at === undefined ? now : new Date(requested.effective_at);
  return newPriceRow(scope, requested.components, { source: "console", effectiveAt, createdAt: now });
}

function assertPriceRequest({ config }: ModelsContext, requested: PriceCreate, at: string): void {
  // In a list of many prices, the model identifies the price better than the row number.
  assertComponents(requested.components ?? [], at, at === "" ? "" : `${requested.model}: `);
  if (requested.currency !== undefined && requested.currency !== config.currency)
    throw invalidParameter(
      `${at}currency`,
      `${at}currency must be ${config.currency}, the currency of this installation (CURRENCY). Amounts are never converted.`,
    );
  assertNotPast(requested.effective_at, `${at}effective_at`);
}

/** Earlier runs keep their price, so the time must not be in the past. Throws `invalid_parameter`. */
function assertNotPast(effectiveAt: string | undefined, param: string): void {
  if (effectiveAt !== undefined && !(Date.parse(effectiveAt) >= clock.now()))
    throw invalidParameter(
      param,
      `${param} must be in the future, because past runs keep their price. Leave it out to start now.`,
    );
}

/** Throws `invalid_parameter`. */
async function assertAccountsExist(queries: Queries, ids: ReadonlySet<string>): Promise<void> {
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
  return invalidParameter("account_id", `There is no account "${id}". GET /v1/operator/accounts lists them.`);
}

/** Enough for the accounts of an installation; filter by id for the markups of one account. */
const maxListed = 2_000;

const leastPercent = decimalOf("-100");

/** The versions of all markups, newest first. */
async function listMarkups(queries: Queries, accountId?: string): Promise<MarkupList> {
  const rows = await selectMarkups(queries)
    .where(accountId === undefined ? undefined : eq(markups.accountId, accountId))
    .orderBy(desc(markups.id))
    .limit(maxListed);
  return { object: "list", data: rows.map(markupView) };
}

/** Adds to each markup the start of the account's next one, computed in one pass instead of per row. */
function selectMarkups(queries: Queries) {
  return queries
    .select({ markup: markups, endsAt: sql<string | null>`versions.ends_at` })
    .from(markups)
    .innerJoin(versions, sql`versions.id = ${markups.id}`)
    .$dynamic();
}

const versions =
  sql.raw(`(select id, lead(effective_at) over (partition by account_id order by effective_at, id) as ends_at
  from markups) versions`);

/**
 * Sets the percentage that an account pays above or below the cost; it replaces the previous one. Throws
 * `invalid_parameter`.
 */
async function createMarkup(
  context: ModelsContext,
  caller: Caller,
  requested: MarkupCreate,
): Promise<Markup> {
  const { account_id: accountId = null, effective_at: effectiveAt } = requested;
  assertNotPast(effectiveAt, "effective_at");
  const percent = decimalOf(requested.percent);
  if (percent < leastPercent)
    throw invalidParameter("percent", "percent must be at least -100, so that no price is negative.");
  return changeConfiguration(context, caller, async (queries) => {
    await assertAccountsExist(queries, new Set(accountId === null ? [] : [accountId]));
    const now = clock.date();
    const row = {
      id: newId("markup"),
      accountId,
      percent: decimalText(percent),
      effectiveAt: effectiveAt === undefined ? now : new Date(effectiveAt),
      createdAt: now,
    };
    await queries.insert(markups).values(row);
    const [listed] = await selectMarkups(queries).where(eq(markups.id, row.id));
    if (!listed) throw new Error("The markup was not saved");
    const targetId = accountId ?? "accounts";
    return {
      action: "markup.created",
      targetId,
      touches: [row.id],
      before: null,
      after: { ...row },
      result: markupView(listed),
    };
  });
}

interface ListedMarkup {
  markup: typeof markups.$inferSelect;
  endsAt: string | null;
}

function markupView({ markup: row, endsAt }: ListedMarkup): Markup {
  const now = clock.now();
  const ends = endsAt === null ? null : new Date(endsAt);
  return {
    id: row.id,
    object: "markup",
    account_id: row.accountId,
    percent: decimalText(decimalOf(row.percent)),
    status:
      ends && ends.getTime() <= now ? "replaced" : row.effectiveAt.getTime() > now ? "scheduled" : "in_force",
    effective_at: row.effectiveAt.toISOString(),
    ends_at: ends?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
