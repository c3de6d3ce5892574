import type { Logger } from "pino";
import type { BillingUnit } from "#contract/catalog.ts";
import { timeOfId } from "#contract/ids.ts";
import type { MoneyReservations } from "#gateway/billing/budgets/reservations.ts";
import { type Actor, type Holder, holdersOf } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { Turns } from "#gateway/platform/core/together.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import {
  apiKeys,
  budgetReservations,
  members,
  predictions,
  usageDaily,
} from "#gateway/platform/database/schema.ts";
import { rulesActingAs } from "../budgets/book.ts";
import { monthOf } from "../budgets/state.ts";
import type { Settlement } from "./journal.ts";
import type { RunUsage } from "./lines.ts";
import type { Meter } from "./meter.ts";

/** A reservation is released after this time if its process stops renewing it. */
const keptMs = 60_000;
const renewEveryMs = 20_000;
/** The tokens reserved for a run if its key has no history this month. */
const assumedTokens = 1_000;

/**
 * How much to reserve for a run: its maximum `quantity`, or the average usage of the key's runs this month,
 * multiplied by `runs`.
 */
export type Ask = { quantity: number } | { runs: number };

/** A run's reservation in its key's budget. */
export interface Reservation {
  unit: BillingUnit;
  quantity: number;
}

export interface Budgets {
  /** Whether the caller has a budget for the unit, so that runs must reserve. */
  limits(actor: BudgetedActor, unit: BillingUnit): boolean;
  /**
   * Reserves what a run may use, in the month of its admission, which is the time in its id. Null if the
   * caller has no budget for the unit, and then no query is sent. Throws `budget_exceeded`.
   */
  reserve(actor: BudgetedActor, runId: string, unit: BillingUnit, ask: Ask): Promise<Reservation | null>;
  /**
   * Meters a run of this process and ends its reservations, those in money included, in the same statement.
   */
  settle(run: RunUsage): void;
  /** The same for a run that is answered when this resolves, which takes less time. */
  settleSoon(run: RunUsage): Promise<void>;
  /** Releases the reservation of a run of this process, unless the run has been settled. */
  giveBack(runId: string): void;
  close(): void;
}

type Budgeted = Pick<Holder, "id" | "monthlyBudget">;
type BudgetedActor = Budgeted &
  Pick<Actor, "accountId" | "kind" | "userId" | "memberBudget"> & { actsAs?: Budgeted | null };

/**
 * The monthly budgets of keys and members, exact over all processes: the possible usage of a run is reserved
 * under the lock of the budgeted rows and counts in addition to metered usage. Callers without a budget skip
 * all of this. While the database is unavailable, callers with a budget are refused.
 */
export function createBudgets(sources: {
  database: Database;
  meter: Meter;
  money: Pick<MoneyReservations, "end">;
  log: Logger;
}): Budgets {
  const { database, meter, money, log } = sources;
  /** Runs of this process with a reservation. */
  const held = new Set<string>();
  /**
   * One reservation per caller at a time: otherwise each that waits for the row lock would occupy a
   * connection.
   */
  const turns = new Turns();
  const timer = setInterval(() => {
    if (held.size > 0)
      renew(database, [...held]).catch((error) =>
        log.warn({ err: error }, "budget reservations were not renewed"),
      );
  }, renewEveryMs);
  timer.unref();

  const endOf = (runId: string): Pick<Settlement, "runId" | "reserved" | "reservedMoney"> => ({
    runId,
    reserved: held.delete(runId),
    reservedMoney: money.end(runId),
  });

  return {
    limits: (actor, unit) => isBudgeted(actor, unit),
    async reserve(actor, runId, unit, ask) {
      if (!isBudgeted(actor, unit)) return null;
      const request = { actor, runId, unit, ask };
      const subject = actor.userId ?? actor.id;
      const unwritten = meter.waiting();
      let room = await turns.take(subject, () => reserveRoom(database, request));
      if (room && !room.fits && (unwritten > 0 || meter.waiting() > 0)) {
        // Runs that just ended may have used less than they reserved: write them and check again.
        await meter.flush();
        room = await turns.take(subject, () => reserveRoom(database, request));
      }
      if (!room) return null;
      if (!room.fits) throw refusal(unit, room, timeOfId(runId));
      held.add(runId);
      return { unit, quantity: room.asked };
    },
    settle(run) {
      const end = endOf(run.runId);
      meter.add({ ...end, usage: run });
      if (end.reserved || end.reservedMoney) void meter.flush();
    },
    async settleSoon(run) {
      const end = endOf(run.runId);
      await meter.addSoon({ ...end, usage: run });
      if (end.reserved || end.reservedMoney) void meter.flush();
    },
    giveBack(runId) {
      const end = endOf(runId);
      if (!end.reserved && !end.reservedMoney) return;
      meter.add({ ...end, usage: null });
      void meter.flush();
    },
    close: () => clearInterval(timer),
  };
}

function isBudgeted(actor: BudgetedActor, unit: BillingUnit): boolean {
  const own = holdersOf<Budgeted>(actor).map(({ monthlyBudget }) => monthlyBudget);
  return [actor.memberBudget, ...own].some((budget) => budget?.[unit] !== undefined);
}

interface Request {
  actor: BudgetedActor;
  runId: string;
  unit: BillingUnit;
  ask: Ask;
}

type Whose = "key" | "member";

/** The state of a budget; if the request fits, it has been reserved. */
interface Room {
  whose: Whose;
  holder: string;
  budget: number;
  used: number;
  reserved: number;
  asked: number;
  fits: boolean;
}

/** Null if the caller no longer has a budget for the unit. If there are several, returns the tightest. */
function reserveRoom(database: Database, request: Request): Promise<Room | null> {
  return database.transaction(async (queries) => {
    // No need to wait for the disk: a power failure that loses a reservation also ends the process that made
    // it.
    await queries.execute(sql`set local synchronous_commit = off`);
    const budgets = await lockBudgets(queries, request);
    let room: Room | null = null;
    for (const [at, budget] of budgets.entries()) {
      room = await reserveWithin(queries, request, budget, {
        most: room?.asked ?? null,
        isLast: at === budgets.length - 1,
      });
      if (!room.fits) break;
    }
    return room;
  });
}

/** A budget, and the SQL for everything that counts against it. */
interface Budget {
  whose: Whose;
  holder: string;
  amount: string;
  /** The conditions on `usage_daily`, and on `budget_reservations` and predictions. */
  used: SQL;
  reserved: SQL;
  predicted: SQL;
}

/**
 * Locks the rows of the member, the key and the key as which it acts, always in this order, as far as they have a
 * budget for the unit.
 */
async function lockBudgets(queries: Queries, { actor, unit }: Request): Promise<Budget[]> {
  const { accountId, userId } = actor;
  const amountOf = async (table: SQL, where: SQL) => {
    const { rows } = await queries.execute<{ amount: string | null }>(
      sql`select monthly_budget ->> ${unit} as amount from ${table} where ${where} for no key update`,
    );
    return rows[0]?.amount ?? null;
  };
  const budgets: Budget[] = [];
  if (userId !== null && actor.memberBudget?.[unit] !== undefined) {
    const amount = await amountOf(sql`${members}`, sql`account_id = ${accountId} and user_id = ${userId}`);
    const withKeys = (own: string) =>
      sql`any (array(select id from ${apiKeys} where account_id = ${accountId} and user_id = ${userId} union all select ${own}))`;
    if (amount)
      budgets.push({
        whose: "member",
        holder: userId,
        amount,
        used: sql`account_id = ${accountId} and key_id = ${withKeys(userId)}`,
        reserved: sql`key_id = ${withKeys(`${userId} ${accountId}`)}`,
        predicted: sql`account_id = ${accountId} and user_id = ${userId}`,
      });
  }
  for (const { id, monthlyBudget } of actor.kind === "key" ? holdersOf<Budgeted>(actor) : []) {
    if (monthlyBudget?.[unit] === undefined) continue;
    const amount = await amountOf(sql`${apiKeys}`, sql`id = ${id}`);
    const isKey = sql`key_id = any (array(select ${id}::text union all ${rulesActingAs(sql`${id}`)}))`;
    if (amount)
      budgets.push({ whose: "key", holder: id, amount, used: isKey, reserved: isKey, predicted: isKey });
  }
  return budgets;
}

/**
 * The payer in `budget_reservations`, which has no account column: the key, or the user with their account.
 */
function payerOf({ kind, id, accountId }: BudgetedActor): string {
  return kind === "key" ? id : `${id} ${accountId}`;
}

/**
 * Reserves under the lock of the budgeted rows. A separate statement, so that it sees the writes of the
 * previous lock holder. `most`: the room that another budget left. The reservation is made with the last
 * budget.
 */
async function reserveWithin(
  queries: Queries,
  { actor, runId, unit, ask }: Request,
  { whose, holder, amount, used, reserved, predicted }: Budget,
  { most, isLast }: { most: number | null; isLast: boolean },
): Promise<Room> {
  const month = monthOf(timeOfId(runId));
  const asked =
    "runs" in ask
      ? sql`least(room.budget - room.used - room.reserved, coalesce(ceil(room.used / nullif(room.runs, 0)), ${assumedTokens}) * ${ask.runs}::numeric, ${most}::numeric)`
      : sql`${ask.quantity}::numeric`;
  const { rows } = await queries.execute<
    Record<"used" | "reserved" | "asked", string> & { fits: boolean }
  >(sql`
    with room as (
      select ${amount}::numeric as budget,
        metered.quantity as used, metered.runs, open_runs.quantity + open_predictions.quantity as reserved
      from (
        select coalesce(sum(quantity), 0) as quantity, coalesce(sum(requests), 0) as runs from ${usageDaily}
        where ${used} and unit = ${unit} and day >= ${month.firstDay} and day < ${month.nextFirstDay}
      ) metered, (
        select coalesce(sum(quantity), 0) as quantity from ${budgetReservations}
        where ${reserved} and unit = ${unit} and month = ${month.name} and expires_at > now()
      ) open_runs, (
        select coalesce(sum(reserved_quantity), 0) as quantity from ${predictions}
        where ${predicted} and reserved_unit = ${unit} and reserved_quantity is not null
          and status in ('starting', 'processing') and created_at >= ${month.startsAt} and created_at < ${month.endsAt}
      ) open_predictions
    ), asking as (
      select *, ${asked} as asked from room
    ), answer as (
      select *, used + reserved < budget and used + reserved + asked <= budget as fits from asking
    ), written as (
      insert into ${budgetReservations} (run_id, key_id, unit, quantity, month, expires_at)
      select ${runId}, ${payerOf(actor)}, ${unit}, asked, ${month.name}, now() + make_interval(secs => ${keptMs / 1000})
      from answer where fits and ${isLast}
    )
    select used, reserved, asked, fits from answer`);
  const [row] = rows;
  if (!row) throw new Error("the budget query returned no row");
  return {
    whose,
    holder,
    budget: Number(amount),
    used: Number(row.used),
    reserved: Number(row.reserved),
    asked: Number(row.asked),
    fits: row.fits,
  };
}

/** A reservation that expired during a database outage is renewed, unless the sweep has removed it. */
async function renew(database: Database, runIds: string[]): Promise<void> {
  await database.pool.query(
    `update budget_reservations set expires_at = now() + make_interval(secs => $2) where run_id = any ($1)`,
    [runIds, keptMs / 1000],
  );
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const quantityFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

function refusal(
  unit: BillingUnit,
  { whose, holder: id, budget, used, reserved, asked }: Room,
  atMs: number,
): ApiError {
  const { startsAt, endsAt } = monthOf(atMs);
  const amount = (quantity: number) =>
    `${quantityFormat.format(quantity)} ${unit}${quantity === 1 ? "" : "s"}`;
  const who = whose === "key" ? "This key" : "This member";
  const usedUp = `${who} has used ${quantityFormat.format(used)} of ${whose === "key" ? "its" : "their"} ${amount(budget)} of ${monthFormat.format(startsAt)}`;
  const left = budget - used - reserved;
  const sentences = [
    `${usedUp}${reserved > 0 ? `, and active runs reserve ${quantityFormat.format(reserved)} more` : ""}.`,
    ...(left > 0 ? [`This run may use up to ${amount(asked)}.`] : []),
    `It resets on ${dayFormat.format(endsAt)} (UTC).`,
  ];
  const holder = { type: whose, id };
  return new ApiError("budget_exceeded", sentences.join(" "), {
    refusedBy: {
      budget: { holder, prepaid: false, amount: String(budget), unit, period: "month" },
      left: String(left),
      resets_at: endsAt.toISOString(),
    },
  });
}
