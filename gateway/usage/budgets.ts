import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { BillingUnit } from "#contract/catalog.ts";
import { timeOfId } from "#contract/ids.ts";
import type { Actor } from "#gateway/core/actor.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Usage } from "#gateway/core/usage.ts";
import type { Database, Queries } from "#gateway/database/database.ts";
import { apiKeys, budgetReservations, predictions, usageDaily } from "#gateway/database/schema.ts";
import { type RunDetail, usageLines } from "./lines.ts";
import type { Meter } from "./meter.ts";
import { monthOf } from "./month.ts";
import type { RunUsage } from "./record.ts";

/** A reservation is released after this time if its process stops renewing it. */
const keptMs = 60_000;
const renewEveryMs = 20_000;
/** The tokens reserved for a run while its key has no history this month. */
const assumedTokens = 1_000;

/** How much a run may use: `quantity` at most, or the average of the key's runs this month. */
export type Ask = { quantity: number } | "mean";

/** What a run reserved from its key's budget. */
export interface Reservation {
  unit: BillingUnit;
  quantity: number;
}

export interface Budgets {
  /** Whether the caller has a budget for the unit, so that a run must reserve. */
  limits(actor: BudgetedActor, unit: BillingUnit): boolean;
  /**
   * Reserves what a run may use, in the month of its admission, which is the time in its id. Null if the caller has
   * no budget for the unit: then the database is not asked. Throws `budget_exceeded`.
   */
  reserve(actor: BudgetedActor, runId: string, unit: BillingUnit, ask: Ask): Promise<Reservation | null>;
  /** Meters a run of this process and ends its reservation in the same statement. */
  settle(run: RunUsage): void;
  /** Releases what a run of this process reserved, unless it has been settled. */
  giveBack(runId: string): void;
  close(): void;
}

type BudgetedActor = Pick<Actor, "kind" | "id" | "monthlyBudget">;

/**
 * The monthly budgets of keys, exact over all processes: what a run may use is reserved under the lock of its key's row
 * and counts in addition to what was metered. Keys without a budget skip all of it. While the database is away, keys
 * with one are refused.
 */
export function createBudgets(sources: { database: Database; meter: Meter; log: Logger }): Budgets {
  const { database, meter, log } = sources;
  /** Runs of this process that have a reservation. */
  const held = new Set<string>();
  /** One reservation per key at a time: each that waited for the row lock would occupy a connection. */
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <Result>(keyId: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = (turns.get(keyId) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {}).finally(() => turns.get(keyId) === ended && turns.delete(keyId));
    turns.set(keyId, ended);
    return turn;
  };
  const timer = setInterval(() => {
    if (held.size > 0)
      renew(database, [...held]).catch((error) =>
        log.warn({ err: error }, "budget reservations were not renewed"),
      );
  }, renewEveryMs);
  timer.unref();

  return {
    limits: (actor, unit) => actor.kind === "key" && actor.monthlyBudget?.[unit] !== undefined,
    async reserve(actor, runId, unit, ask) {
      if (actor.kind !== "key" || actor.monthlyBudget?.[unit] === undefined) return null;
      const request = { keyId: actor.id, runId, unit, ask };
      const unwritten = meter.waiting();
      let room = await inTurn(actor.id, () => reserveRoom(database, request));
      if (room && !room.fits && (unwritten > 0 || meter.waiting() > 0)) {
        // Runs that just ended may have used less than they reserved: write them and look again.
        await meter.flush();
        room = await inTurn(actor.id, () => reserveRoom(database, request));
      }
      if (!room) return null;
      if (!room.fits) throw new ApiError("budget_exceeded", refusal(unit, room, timeOfId(runId)));
      held.add(runId);
      return { unit, quantity: room.asked };
    },
    settle(run) {
      const reserved = held.delete(run.runId);
      meter.add({ runId: run.runId, usage: run, reserved });
      if (reserved) void meter.flush();
    },
    giveBack(runId) {
      if (!held.delete(runId)) return;
      meter.add({ runId, usage: null, reserved: true });
      void meter.flush();
    },
    close: () => clearInterval(timer),
  };
}

interface Request {
  keyId: string;
  runId: string;
  unit: BillingUnit;
  ask: Ask;
}

/** The state of a budget; if the request fits, it has been reserved. */
interface Room {
  budget: number;
  used: number;
  reserved: number;
  asked: number;
  fits: boolean;
}

/** Null when the key no longer has a budget for the unit. */
function reserveRoom(database: Database, request: Request): Promise<Room | null> {
  return database.transaction(async (queries) => {
    // A power failure that loses a reservation also ends the process that made it.
    await queries.execute(sql`set local synchronous_commit = off`);
    const locked = await queries.execute<{ budget: string | null }>(
      sql`select monthly_budget ->> ${request.unit} as budget from ${apiKeys} where id = ${request.keyId} for no key update`,
    );
    const budget = locked.rows[0]?.budget;
    if (!budget) return null;
    return reserveWithin(queries, request, budget);
  });
}

/** Under the lock of the key's row, as a separate statement, so that it sees what the previous lock holder wrote. */
async function reserveWithin(
  queries: Queries,
  { keyId, runId, unit, ask }: Request,
  budget: string,
): Promise<Room> {
  const month = monthOf(timeOfId(runId));
  const asked =
    ask === "mean"
      ? sql`least(room.budget - room.used - room.reserved, coalesce(ceil(room.used / nullif(room.runs, 0)), ${assumedTokens}))`
      : sql`${ask.quantity}::numeric`;
  const { rows } = await queries.execute<
    Record<"used" | "reserved" | "asked", string> & { fits: boolean }
  >(sql`
    with room as (
      select ${budget}::numeric as budget,
        metered.quantity as used, metered.runs, open_runs.quantity + open_predictions.quantity as reserved
      from (
        select coalesce(sum(quantity), 0) as quantity, coalesce(sum(requests), 0) as runs from ${usageDaily}
        where key_id = ${keyId} and unit = ${unit} and day >= ${month.firstDay} and day < ${month.nextFirstDay}
      ) metered, (
        select coalesce(sum(quantity), 0) as quantity from ${budgetReservations}
        where key_id = ${keyId} and unit = ${unit} and month = ${month.name} and expires_at > now()
      ) open_runs, (
        select coalesce(sum(reserved_quantity), 0) as quantity from ${predictions}
        where key_id = ${keyId} and reserved_unit = ${unit} and reserved_quantity is not null
          and status in ('starting', 'processing') and created_at >= ${month.startsAt} and created_at < ${month.endsAt}
      ) open_predictions
    ), asking as (
      select *, ${asked} as asked from room
    ), answer as (
      select *, used + reserved < budget and used + reserved + asked <= budget as fits from asking
    ), written as (
      insert into ${budgetReservations} (run_id, key_id, unit, quantity, month, expires_at)
      select ${runId}, ${keyId}, ${unit}, asked, ${month.name}, now() + make_interval(secs => ${keptMs / 1000})
      from answer where fits
    )
    select used, reserved, asked, fits from answer`);
  const [row] = rows;
  if (!row) throw new Error("the budget query returned no row");
  return {
    budget: Number(budget),
    used: Number(row.used),
    reserved: Number(row.reserved),
    asked: Number(row.asked),
    fits: row.fits,
  };
}

/** One that expired during a database outage is renewed, unless the sweep has removed it. */
async function renew(database: Database, runIds: string[]): Promise<void> {
  await database.pool.query(
    `update budget_reservations set expires_at = now() + make_interval(secs => $2) where run_id = any ($1)`,
    [runIds, keptMs / 1000],
  );
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const quantityFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

function refusal(unit: BillingUnit, { budget, used, reserved, asked }: Room, atMs: number): string {
  const { startsAt, endsAt } = monthOf(atMs);
  const amount = (quantity: number) =>
    `${quantityFormat.format(quantity)} ${unit}${quantity === 1 ? "" : "s"}`;
  const usedUp = `This key has used ${quantityFormat.format(used)} of its ${amount(budget)} of ${monthFormat.format(startsAt)}`;
  const left = budget - used - reserved;
  const sentences = [
    `${usedUp}${reserved > 0 ? `, and active runs reserve ${quantityFormat.format(reserved)} more` : ""}.`,
    ...(left > 0 ? [`This run may use up to ${amount(asked)}.`] : []),
    `It resets on ${dayFormat.format(endsAt)} (UTC).`,
  ];
  return sentences.join(" ");
}

/** The run of a `ProviderRequest`, for metering. */
interface MeteredRun {
  id: string;
  model: { id: string };
  region: string;
  input: Record<string, unknown>;
}

/** Meters the run of a request and ends its reservation. */
export function meterOperation(
  { budgets }: { budgets: Budgets },
  actor: Actor,
  { id, model, region, input }: MeteredRun,
  provider: string,
  usage: Usage,
  detail: Omit<RunDetail, "input"> = {},
): void {
  budgets.settle({
    runId: id,
    accountId: actor.accountId,
    keyId: actor.kind === "key" ? actor.id : null,
    userId: actor.userId,
    model: model.id,
    provider,
    region,
    lines: usageLines(usage, { input, ...detail }),
  });
}
