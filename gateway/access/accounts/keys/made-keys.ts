import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { BillingUnit } from "#contract/catalog-constants.ts";
import { type BudgetPeriod, type Budgets, budgetPeriods } from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { isHolder } from "#gateway/billing/budgets/reserve.ts";
import { startOf } from "#gateway/billing/budgets/state.ts";
import { readUsedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import { type Actor, type Holder, holdersOf } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { mostTokens, type TokenRateColumns } from "../token-rates.ts";

/*
 * Keys with the scope `keys` can create other keys. The limits of all keys that a key created, directly or
 * indirectly, add up to at most its own limits. An ended key still counts: for a minute in rate and
 * concurrency, and until the end of the month with the used part of its budget. The key of a rule is no part of
 * that: its runs count against the limits of its creator itself (`holdersOf`).
 */

/** A key's own limits; null means none. */
interface Limits extends TokenRateColumns {
  requestsPerMinute: number | null;
  maxConcurrency: number | null;
  monthlyBudget: MonthlyBudget | null;
  budgets: Budgets | null;
}

type Rates = Pick<Limits, "requestsPerMinute" | "maxConcurrency">;

interface Maker extends Limits {
  id: string;
}

interface Made extends Maker {
  /** Whether the key still counts for rate and concurrency. */
  isActive: boolean;
  isEnded: boolean;
}

const columns = sql`k.id, k.requests_per_minute as "requestsPerMinute", k.max_concurrency as "maxConcurrency",
  k.tokens_per_minute as "tokensPerMinute", k.model_tokens_per_minute as "modelTokensPerMinute",
  k.monthly_budget as "monthlyBudget", k.budgets`;

/** Serialises creating and changing keys of one account. Call it first in the transaction. */
export function lockKeys(queries: Queries, accountId: string): Promise<void> {
  return lockName(queries, `keys of ${accountId}`);
}

/*
 * The hard money budgets of all keys that a key created add up to at most its own. An ended key counts with
 * its spending.
 */

/**
 * Rejects a new key of `actor` whose limits exceed what its creator, and that key's creators, can still
 * grant. Throws `insufficient_scope`. A signed-in user may grant anything. `sharesLimits`: the runs of the new key
 * count against the limits of its creator.
 */
export async function assertMayMake(
  queries: Queries,
  config: Config,
  actor: Actor,
  made: Limits,
  sharesLimits = false,
): Promise<void> {
  if (actor.kind !== "key") return;
  assertWithinOwn(config, actor, made);
  if (sharesLimits) return;
  assertNotLimitedByOperator(actor);
  await assertNotCapped(queries, actor);
  for (const maker of await makersFrom(queries, actor.id)) {
    const others = await madeBy(queries, maker.id);
    assertRateLeft(maker, others, made);
    assertTokensLeft(maker, others, made);
    await assertBudgetLeft(queries, maker, others, made.monthlyBudget);
    await assertMoneyLeft(queries, maker, others, made.budgets);
  }
}

/** For each period, the periods that contain it completely: a limit for one of those also limits it. */
const within: Readonly<Record<BudgetPeriod, readonly BudgetPeriod[]>> = {
  day: ["day", "week", "month", "total"],
  week: ["week", "total"],
  month: ["month", "total"],
  total: ["total"],
};

/**
 * Rejects budgets of a key that exceed what its creator can still grant next to `others`. Throws
 * `insufficient_scope`.
 */
async function assertMoneyLeft(
  queries: Queries,
  maker: { id: string; budgets: Budgets | null },
  others: readonly { isEnded: boolean; budgets: Budgets | null }[],
  asked: Budgets | null,
): Promise<void> {
  if (!hasHardBudget(maker.budgets)) return;
  const spent = await spentByEnded(queries, maker.id);
  for (const { period, amount, currency, hard } of maker.budgets ?? []) {
    if (!hard) continue;
    let left: bigint | null = decimalOf(amount) - (spent.get(period) ?? 0n);
    for (const other of others) {
      if (other.isEnded || left === null) continue;
      const granted = limitIn(period, other.budgets);
      left = granted === null ? null : left - granted;
    }
    const wanted = limitIn(period, asked);
    if (wanted !== null && left !== null && wanted <= left) continue;
    const shown = decimalText(left === null || left < 0n ? 0n : left);
    throw moneyRefusal(
      `Keys created by a key with a hard budget share it: ${shown} of ${amount} ${currency} for ${period} can still be granted.`,
    );
  }
}

/** Whether a key has a hard budget, which the keys that it creates must not exceed. */
function hasHardBudget(budgets: Budgets | null): boolean {
  return budgets?.some(({ hard }) => hard) ?? false;
}

/** The most that may be spent in a period; null: unlimited. */
function limitIn(period: BudgetPeriod, budgets: Budgets | null): bigint | null {
  let most: bigint | null = null;
  for (const budget of budgets ?? []) {
    if (!budget.hard || !within[period].includes(budget.period)) continue;
    const amount = decimalOf(budget.amount);
    if (most === null || amount < most) most = amount;
  }
  return most;
}

/** The spending in the current periods of ended keys that a key created. */
async function spentByEnded(queries: Queries, makerId: string): Promise<Map<BudgetPeriod, bigint>> {
  const now = clock.now();
  const starts = budgetPeriods.map((period) => sql`(${period}, ${startOf(period, now)})`);
  const { rows } = await queries.execute<{ period: BudgetPeriod; spent: string }>(sql`
    with recursive made as (
      select id, revoked_at, expires_at, bound_to from api_keys where made_by = ${makerId}
      union
      select k.id, k.revoked_at, k.expires_at, k.bound_to from api_keys k join made m on k.made_by = m.id
    )
    select b.period, trim_scale(sum(b.spent + b.reserved))::text as spent
    from made join budget_balances b on b.holder = made.id
      join (values ${sql.join(starts, sql`, `)}) as starts (period, starts_on) using (period, starts_on)
    where least(revoked_at, expires_at) <= now() and bound_to is distinct from 'exchange' group by b.period`);
  return new Map(rows.map(({ period, spent }) => [period, decimalOf(spent)]));
}

function moneyRefusal(message: string): ApiError {
  return new ApiError("insufficient_scope", message, { param: "budgets" });
}

/**
 * Rejects rotating or changing a key with more rights than the actor: a key with its own limits may rotate
 * and change only itself and the keys that it created, and one that an operator has limited only itself. Throws
 * `insufficient_scope`.
 */
export async function assertMayManage(
  queries: Queries,
  config: Config,
  actor: Actor,
  key: Maker,
): Promise<void> {
  if (actor.kind !== "key" || actor.id === key.id) return;
  assertNotLimitedByOperator(actor);
  if ((await isLimited(queries, actor)) && !(await madeBy(queries, actor.id)).some(({ id }) => id === key.id))
    throw new ApiError(
      "insufficient_scope",
      "A key with its own limits can rotate and change only itself and the keys that it created.",
    );
  assertWithinOwn(config, actor, key, null);
}

/** Rejects a key that would get around an operator's limit with another key. Throws `insufficient_scope`. */
function assertNotLimitedByOperator(actor: Actor): void {
  if (holdersOf<Holder>(actor).some(({ operatorKeyLimits }) => operatorKeyLimits))
    throw new ApiError(
      "insufficient_scope",
      "A key that an operator has limited cannot create other keys, or rotate or change them.",
    );
}

/**
 * Rejects a key with a cap per task: keys that it creates would have new balances, and it must not raise the
 * limits of its own tasks. Throws `insufficient_scope`.
 */
export async function assertNotCapped(queries: Queries, actor: Actor): Promise<void> {
  if (actor.kind !== "key" || actor.taskKeys.length === 0) return;
  const capped = await rowsOf(
    queries,
    sql`select from api_keys where ${isHolder(actor)} and task_budget is not null`,
  );
  if (capped.length > 0)
    throw new ApiError(
      "insufficient_scope",
      "A key with a cap per task cannot create keys, or change a cap or a task.",
    );
}

/** A key's budgets, in units and in money. */
type Granted = Partial<Pick<Limits, "monthlyBudget" | "budgets">>;

/**
 * Rejects budgets that raise the actor's own, or that the creators of the key cannot grant; budgets that are
 * left out stay. Throws `insufficient_scope`.
 */
export async function assertMayGrantBudget(
  queries: Queries,
  actor: Actor,
  key: Maker & { madeBy: string | null },
  { monthlyBudget, budgets }: Granted,
): Promise<void> {
  if (actor.kind !== "key") return;
  if (actor.id === key.id) {
    if (budgets !== undefined) assertNotRaised(key.budgets, budgets);
    for (const [unit, limit] of monthlyBudget === undefined ? [] : budgetEntries(key.monthlyBudget))
      if ((monthlyBudget?.[unit] ?? Number.POSITIVE_INFINITY) > limit)
        throw refusal("monthly_budget", `A key cannot raise its own budget: at most ${limit} of ${unit}.`);
  }
  if (key.madeBy === null) return;
  for (const maker of await makersFrom(queries, key.madeBy)) {
    const others = (await madeBy(queries, maker.id)).filter(({ id }) => id !== key.id);
    if (monthlyBudget !== undefined) await assertBudgetLeft(queries, maker, others, monthlyBudget);
    if (budgets !== undefined) await assertMoneyLeft(queries, maker, others, budgets);
  }
}

/** Rejects budgets that raise a key's hard budgets. Throws `insufficient_scope`. */
function assertNotRaised(own: Budgets | null, asked: Budgets | null): void {
  for (const { period, amount, currency, hard } of own ?? []) {
    if (!hard) continue;
    const most = limitIn(period, asked);
    if (most === null || most > decimalOf(amount))
      throw moneyRefusal(`A key cannot raise its own budget: at most ${amount} ${currency} for ${period}.`);
  }
}

/**
 * Whether the key has limits of its own. Its money budgets are read from its row, because the actor does not
 * contain them.
 */
async function isLimited(queries: Queries, actor: Actor): Promise<boolean> {
  const isLimit = ({ requestsPerMinute, maxConcurrency, monthlyBudget }: Holder) =>
    requestsPerMinute !== null || maxConcurrency !== null || monthlyBudget !== null;
  if (holdersOf<Holder>(actor).some(isLimit)) return true;
  if (actor.tokenLimits.some((limit) => limit.of === "key")) return true;
  if (!actor.hasMoneyLimit) return false;
  const own = await rowsOf<Maker>(queries, sql`select ${columns} from api_keys k where ${isHolder(actor)}`);
  return own.some(({ budgets }) => hasHardBudget(budgets));
}

/** If the creator has no limit of its own, its keys may have at most the default limit. */
function assertWithinOwn(config: Config, actor: Actor, key: Rates, param?: null): void {
  const mostOf = (name: keyof Rates) => {
    const limits = holdersOf<Holder>(actor).flatMap((holder) => holder[name] ?? []);
    return limits.length > 0 ? Math.min(...limits) : config[name];
  };
  const most = mostOf("requestsPerMinute");
  if ((key.requestsPerMinute ?? 0) > most)
    throw refusal(
      "requests_per_minute",
      `This key has ${most} requests_per_minute and cannot grant more.`,
      param,
    );
  const maxAtOnce = mostOf("maxConcurrency");
  if ((key.maxConcurrency ?? 0) > maxAtOnce)
    throw refusal(
      "max_concurrency",
      `This key has a max_concurrency of ${maxAtOnce} and cannot grant more.`,
      param,
    );
}

function assertRateLeft(maker: Maker, others: Made[], made: Limits): void {
  const active = others.filter(({ isActive }) => isActive);
  for (const [field, name] of [
    ["requestsPerMinute", "requests_per_minute"],
    ["maxConcurrency", "max_concurrency"],
  ] as const) {
    const limit = maker[field];
    if (limit !== null)
      assertLeft(
        name,
        name,
        limit,
        active.map((key) => key[field]),
        made[field],
      );
  }
}

/** The tokens per minute that a key limits: of all models together (null), and of single ones. */
function limitedTokens(key: TokenRateColumns): { param: string; name: string; model: string | null }[] {
  const [all, one] = ["tokens_per_minute", "model_tokens_per_minute"] as const;
  return [
    ...(key.tokensPerMinute === null ? [] : [{ param: all, name: all, model: null }]),
    ...Object.keys(key.modelTokensPerMinute ?? {}).map((model) => ({
      param: one,
      name: `tokens per minute of ${model}`,
      model,
    })),
  ];
}

function assertTokensLeft(maker: Maker, others: Made[], made: TokenRateColumns): void {
  const active = others.filter(({ isActive }) => isActive);
  for (const { param, name, model } of limitedTokens(maker)) {
    const granted = active.map((key) => mostTokens(key, model));
    assertLeft(param, name, mostTokens(maker, model), granted, mostTokens(made, model));
  }
}

/**
 * Rejects tokens per minute that raise the actor's own, or that the creators of the key cannot grant. Throws
 * `insufficient_scope`.
 */
export async function assertMayGrantTokens(
  queries: Queries,
  actor: Actor,
  key: Maker & { madeBy: string | null },
  asked: TokenRateColumns,
): Promise<void> {
  if (actor.kind !== "key") return;
  if (actor.id === key.id)
    for (const { param, name, model } of limitedTokens(key)) {
      const most = mostTokens(key, model);
      if (mostTokens(asked, model) > most)
        throw refusal(param, `A key cannot raise its own limit: at most ${most} for ${name}.`);
    }
  if (key.madeBy === null) return;
  for (const maker of await makersFrom(queries, key.madeBy)) {
    const others = (await madeBy(queries, maker.id)).filter(({ id }) => id !== key.id);
    assertTokensLeft(maker, others, asked);
  }
}

/**
 * Rejects requests per minute and places that raise the actor's own, or that the creators of the key cannot grant.
 * Throws `insufficient_scope`.
 */
export async function assertMayGrantRates(
  queries: Queries,
  config: Config,
  actor: Actor,
  key: Maker & { madeBy: string | null },
  asked: Rates,
): Promise<void> {
  if (actor.kind !== "key") return;
  assertWithinOwn(config, actor, asked);
  if (actor.id === key.id) assertRateLeft(key, [], { ...key, ...asked });
  if (key.madeBy === null) return;
  for (const maker of await makersFrom(queries, key.madeBy)) {
    const others = (await madeBy(queries, maker.id)).filter(({ id }) => id !== key.id);
    assertRateLeft(maker, others, { ...key, ...asked });
  }
}

async function assertBudgetLeft(
  queries: Queries,
  maker: Maker,
  others: Made[],
  budget: MonthlyBudget | null,
): Promise<void> {
  const units = budgetEntries(maker.monthlyBudget);
  if (units.length === 0) return;
  const used = await readUsedThisMonth(
    queries,
    others.filter(({ isEnded }) => isEnded),
  );
  for (const [unit, limit] of units) {
    const granted = others.map(({ id, isEnded, monthlyBudget }) =>
      isEnded ? (used.get(id)?.[unit] ?? 0) : (monthlyBudget?.[unit] ?? null),
    );
    assertLeft("monthly_budget", `the budget for ${unit}`, limit, granted, budget?.[unit] ?? null);
  }
}

/** Rejects a requested limit (null: unlimited) that does not fit next to the limits already granted. */
function assertLeft(
  param: string,
  name: string,
  limit: number,
  granted: (number | null)[],
  asked: number | null,
): void {
  const left = granted.reduce<number>((rest, one) => rest - (one ?? Number.POSITIVE_INFINITY), limit);
  if (asked !== null && asked <= left) return;
  throw refusal(
    param,
    `Keys created by a limited key share its limits: ${Math.max(0, left)} of ${limit} for ${name} can still be granted.`,
  );
}

function refusal(param: string, message: string, shown: string | null = param): ApiError {
  return new ApiError("insufficient_scope", message, { param: shown });
}

function budgetEntries(budget: MonthlyBudget | null): [BillingUnit, number][] {
  return Object.entries(budget ?? {}) as [BillingUnit, number][];
}

/** The key, its creator, that key's creator, and so on. */
function makersFrom(queries: Queries, id: string): Promise<Maker[]> {
  return rowsOf(
    queries,
    sql`with recursive makers as (
          select id, made_by from api_keys where id = ${id}
          union
          select k.id, k.made_by from api_keys k join makers m on k.id = m.made_by
        )
        select ${columns} from api_keys k join makers using (id)`,
  );
}

/** Keys created by the key, directly or indirectly, that are active or ended this month. */
function madeBy(queries: Queries, id: string): Promise<Made[]> {
  return rowsOf(
    queries,
    sql`with recursive made as (
          select id from api_keys where made_by = ${id}
          union
          select k.id from api_keys k join made m on k.made_by = m.id
        )
        select ${columns}, ended <= now() as "isEnded", ended > now() - interval '1 minute' as "isActive"
        from api_keys k join made using (id),
          lateral (select coalesce(least(k.revoked_at, k.expires_at), 'infinity') as ended) e
        where ended >= date_trunc('month', now(), 'UTC') and k.bound_to is distinct from 'exchange'`,
  );
}

async function rowsOf<Row>(queries: Queries, query: SQL): Promise<Row[]> {
  const { rows } = await queries.execute(query);
  return rows as Row[];
}
