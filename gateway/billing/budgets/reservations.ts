import type { Logger } from "pino";
import { type Permission, rolesWith } from "#contract/accounts/permissions.ts";
import type { BudgetRefusal } from "#contract/error.ts";
import { isId, timeOfId } from "#contract/ids.ts";
import { type BudgetHolder, type BudgetPeriod, taskLimits } from "#contract/money/budgets.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { Turns } from "#gateway/platform/core/together.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { peopleWithRole } from "#gateway/platform/http/not-permitted.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import {
  type BudgetFound,
  keptMs,
  type Most,
  type Reserving,
  releaseExpired,
  type Spender,
  tryReserve,
} from "./reserve.ts";
import { endOf, holderNames } from "./state.ts";

const renewEveryMs = 20_000;

/** A run that is about to start, and who pays for it. */
interface PricedRun {
  id: string;
  model: string;
  most: Most;
}

/** Charges that this process has not written to the database yet. */
interface Unwritten {
  waiting(): number;
  flush(): Promise<void>;
}

export interface MoneyReservations {
  /**
   * Reserves the most that a run can cost in all budgets of its account, member, key and batch, and returns
   * it; null if none of them has a budget, and then no query is sent. Throws `budget_exceeded`; with a hard
   * budget also `not_priced` for a run without a price, or `missing_parameter` for one without a maximum.
   */
  reserve(spender: MoneySpender, run: PricedRun): Promise<string | null>;
  /**
   * Call when the run is over, or when a prediction's row contains its reservation: this process then stops
   * renewing it. Returns whether the run had a reservation.
   */
  end(runId: string): boolean;
  close(): void;
}

interface MoneySpender extends Spender {
  actor: Spender["actor"] & Pick<Actor, "hasMoneyLimit" | "boundTo" | "name">;
}

/**
 * Money budgets, exact over all processes: the possible cost of a run is reserved in the balances of its
 * budgets, and the statement that meters the run replaces the reservation by the cost (`book.ts`). While the
 * database is unavailable, runs with a budget are refused.
 */
export function createMoneyReservations(sources: {
  database: Database;
  /** The installation's currency. */
  currency: string;
  unwritten: Unwritten;
  log: Logger;
}): MoneyReservations {
  const { database, currency, unwritten, log } = sources;
  /** Runs of this process with a reservation. */
  const held = new Set<string>();
  /**
   * One reservation per account at a time: otherwise each that waits for a row lock would occupy a
   * connection.
   */
  const turns = new Turns();
  const timer = setInterval(() => {
    if (held.size > 0)
      renew(database, [...held]).catch((error) =>
        log.warn({ err: error }, "money reservations were not renewed"),
      );
  }, renewEveryMs);
  timer.unref();

  return {
    async reserve(spender, { id, model, most }) {
      const { accountId, hasMoneyLimit, taskKeys } = spender.actor;
      // A run that costs nothing counts only as a run of its task.
      if (!hasMoneyLimit || (most.amount === "0" && taskKeys.length === 0)) return null;
      const run = { id, admittedAtMs: timeOfId(id), most: most.amount };
      const attempt = (): Promise<Reserving> =>
        turns.take(accountId, () => tryReserve(database, spender, run));
      const wasUnwritten = unwritten.waiting() > 0;
      let done = await attempt();
      if (done.state === "refused" && most.amount !== null) {
        // Finished runs may have cost less than they reserved, and other runs may have died, so there may be
        // room now.
        const mayHaveRoom = wasUnwritten || unwritten.waiting() > 0;
        if (mayHaveRoom) await unwritten.flush();
        if ((await releaseExpired(database, accountId)) > 0 || mayHaveRoom) done = await attempt();
      }
      if (done.state === "too many tasks") throw tooManyTasks(done.budget);
      if (done.state === "refused" && done.budget.kind === "task" && spender.actor.boundTo === "mcp")
        await recordRefusedTask(database.queries, spender.actor, done.budget);
      if (done.state === "refused")
        throw await refusal(database.queries, accountId, done.budget, { model, most, currency });
      if (done.state === "no budgets") return null;
      held.add(id);
      return most.amount ?? "0";
    },
    end: (runId) => held.delete(runId),
    close: () => clearInterval(timer),
  };
}

/** Skips reservations that are being ended at this moment. */
async function renew(database: Database, runIds: string[]): Promise<void> {
  await database.pool.query(
    `update money_reservations set expires_at = now() + make_interval(secs => $2)
     where run_id in (select run_id from money_reservations where run_id = any ($1) for update skip locked)`,
    [runIds, keptMs / 1000],
  );
}

/** The permission needed to raise each holder's budget. */
const raisedWith: Readonly<Record<BudgetHolder, Permission>> = {
  account: "budgets:manage",
  member: "members:manage",
  key: "keys:manage",
  batch: "operations:run",
};

const periodWords: Readonly<Record<BudgetPeriod, string>> = {
  day: "a day",
  week: "a week",
  month: "a month",
  total: "in all",
};

/**
 * The 402 for a run that exceeds a budget: which budget, what is left, when it resets and who can raise it.
 */
async function refusal(
  queries: Queries,
  accountId: string,
  budget: BudgetFound,
  { model, most, currency }: { model: string; most: Most; currency: string },
): Promise<ApiError> {
  const { kind, isCredit } = budget;
  const named = nameOf(budget);
  const roles = isCredit ? [] : rolesWith(raisedWith[kind === "task" ? capHolder(budget) : kind]);
  const details = roles.length > 0 ? await peopleWithRole(queries, accountId, roles) : undefined;
  const refusedBy = fieldsOf(budget, currency);
  const instead = isCredit || kind === "task" ? "" : " A soft budget would let it run.";
  const isLeft = !budget.hasEnded && (budget.maxRuns === null || budget.runs < budget.maxRuns);
  if (isLeft && most.amount === null && most.reason === "no maximum")
    return new ApiError(
      "missing_parameter",
      `${named}, and ${model} has no known limit on what it may use. Send max_tokens.${instead}`,
      { param: "max_tokens", ...(details && { details }) },
    );
  if (isLeft && most.amount === null)
    return new ApiError(
      "not_priced",
      `${named}, and ${model} has no price, so its cost cannot be counted against the budget. An operator can set a price.${instead}`,
      { refusedBy, ...(details && { details }) },
    );
  return new ApiError(
    "budget_exceeded",
    [
      `${named}.`,
      ...(isLeft ? [leftOf(budget, currency), `This run may cost up to ${most.amount} ${currency}.`] : []),
      ...resetOf(budget),
      isCredit
        ? "An operator of this installation can add credit."
        : `A member with the role ${roles.join(" or ")} can raise it.`,
    ].join(" "),
    { refusedBy, ...(details && { details }) },
  );
}

/** The holder of the budget and its limit: the beginning of the message. */
function nameOf(budget: BudgetFound): string {
  const { kind, amount, currency, period, isCredit, maxRuns, runs } = budget;
  if (kind === "task") {
    const named = `The task "${budget.name}" (metadata "${budget.metadataKey}")`;
    if (budget.hasEnded) return `${named} was ended by hand`;
    return maxRuns !== null && runs >= maxRuns
      ? `${named} has a cap of ${maxRuns} runs, and has used them`
      : `${named} has a cap of ${amount} ${currency}`;
  }
  return isCredit
    ? `${holderNames[kind]} is prepaid`
    : `${holderNames[kind]} has a hard budget of ${amount} ${currency} ${periodWords[period]}`;
}

/** The account or key that set the cap of a task. */
function capHolder({ cappedBy }: BudgetFound): "account" | "key" {
  return isId("key", cappedBy) ? "key" : "account";
}

/**
 * Records a notice about an agent's refused task, once for each limit: people can raise the limit, the agent
 * cannot.
 */
async function recordRefusedTask(
  queries: Queries,
  { accountId, userId, name }: MoneySpender["actor"],
  { holder, name: value, amount, currency, spent, runs, maxRuns, hasEnded }: BudgetFound,
): Promise<void> {
  if (hasEnded) return;
  await recordCause(queries, {
    cause: "task.refused",
    accountId,
    userId,
    subjectId: holder,
    data: { connection: name, value: value ?? "", spent, amount, currency, runs, max_runs: maxRuns },
    once: `${holder} ${amount} ${maxRuns}`,
  });
}

function tooManyTasks({ name, metadataKey }: BudgetFound): ApiError {
  return new ApiError(
    "budget_exceeded",
    `There are ${taskLimits.values.toLocaleString("en")} tasks already, so "${name}" cannot be added. Use a task that exists, or wait: a task is removed ${taskLimits.keptDays} days after its last run.`,
    { param: `metadata.${metadataKey}` },
  );
}

function fieldsOf(budget: BudgetFound, currency: string): BudgetRefusal {
  const { kind, holder, isCredit, amount, period, startsOn, left, runs, maxRuns } = budget;
  const byRuns = maxRuns !== null && (amount === null || runs >= maxRuns);
  // The holder of a member's budget is the user and the account.
  const [id = ""] = holder.split(" ");
  return {
    budget: {
      holder: { type: kind, id },
      prepaid: isCredit,
      amount: isCredit ? null : byRuns ? String(maxRuns) : amount,
      unit: byRuns ? "run" : currency,
      period,
    },
    left: byRuns ? String(maxRuns - runs) : (left ?? "0"),
    resets_at: endOf(period, startsOn)?.toISOString() ?? null,
    ...(kind === "task" && {
      task: {
        metadata_key: budget.metadataKey ?? "",
        value: budget.name ?? "",
        spent: budget.spent,
        limit: amount,
        currency,
        runs,
        max_runs: maxRuns,
        ended: budget.hasEnded,
      },
    }),
  };
}

function leftOf({ spent, reserved, left }: BudgetFound, currency: string): string {
  const open = reserved === "0" ? "" : `, ${reserved} reserved by active runs`;
  return `${left === null || left.startsWith("-") ? "Nothing" : `${left} ${currency}`} of it is left (${spent} spent${open}).`;
}

function resetOf({ period, startsOn }: BudgetFound): string[] {
  const end = endOf(period, startsOn);
  return end ? [`It resets at ${end.toISOString()}.`] : [];
}
