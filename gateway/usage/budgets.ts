import type { Logger } from "pino";
import type { Quantities } from "#contract/account.ts";
import type { BillingUnit } from "#contract/catalog-words.ts";
import type { Database } from "#gateway/database/database.ts";
import type { Actor } from "#gateway/http/actor.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import type { Meter, UsageEntry } from "./meter.ts";
import { monthOf, usedThisMonth } from "./used-this-month.ts";

/** A reading is used for this long; after it the next request starts another one and does not wait for it. */
const freshMs = 5_000;
/** Keys that are remembered; beyond it the one that was first asked for longest ago is read anew when it comes back. */
const maxKeys = 10_000;

/** What is known of one key in one month. */
interface Known {
  month: string;
  /** As the database had it at `readAt`. */
  read: Quantities;
  readAt: number;
  /** What this process metered that `read` does not hold. */
  added: Quantities;
  reading: Promise<void> | null;
}

export interface Budgets {
  /**
   * Refuses an operation whose unit the caller's key has no budget left for: throws `budget_exceeded`. Quantities are
   * known only after an operation ran, so the one that crosses the line completes, with all that run beside it.
   */
  check(actor: Pick<Actor, "id" | "monthlyBudget">, unit: BillingUnit): Promise<void>;
  /** Counts what was metered at once, so that a burst does not outrun the next reading. */
  add(entry: Pick<UsageEntry, "keyId" | "usage">): void;
}

/**
 * Keeps what keys with a budget used this month. Keys without one cost nothing. When the database cannot be read, work
 * goes on by what is known: a key of which nothing is known is counted from nought.
 */
export function createBudgets(sources: { database: Database; meter: Meter; log: Logger }): Budgets {
  const keys = new Map<string, Known>();

  const read = async (actor: Pick<Actor, "id" | "monthlyBudget">, known: Known): Promise<void> => {
    const covered = { ...known.added };
    try {
      known.read = (await usedThisMonth(sources, [actor])).get(actor.id) ?? {};
      // What was metered while the reading ran may be in it as well; the next reading puts that right.
      known.added = difference(known.added, covered);
    } catch (error) {
      sources.log.warn(
        { err: error, key: actor.id },
        "what a key used was not read; its budget goes by what is known",
      );
    }
    known.readAt = Date.now();
    known.reading = null;
  };

  const startMonth = (actor: Pick<Actor, "id" | "monthlyBudget">, month: string): Known => {
    const known: Known = { month, read: {}, readAt: 0, added: {}, reading: null };
    known.reading = read(actor, known);
    keys.delete(actor.id);
    keys.set(actor.id, known);
    const [oldest] = keys.keys();
    if (keys.size > maxKeys && oldest !== undefined) keys.delete(oldest);
    return known;
  };

  return {
    async check(actor, unit) {
      const budget = actor.monthlyBudget?.[unit];
      if (budget === undefined) return;
      const now = Date.now();
      const month = monthOf(now);
      const found = keys.get(actor.id);
      const known = found?.month === month ? found : startMonth(actor, month);
      if (known.readAt === 0) await known.reading;
      else if (now - known.readAt > freshMs) known.reading ??= read(actor, known);
      const used = (known.read[unit] ?? 0) + (known.added[unit] ?? 0);
      if (used >= budget) throw new ApiError("budget_exceeded", refusal(unit, used, budget, now));
    },
    add({ keyId, usage }) {
      const known = keyId === null ? undefined : keys.get(keyId);
      if (known) known.added[usage.unit] = (known.added[usage.unit] ?? 0) + usage.quantity;
    },
  };
}

function difference(whole: Quantities, part: Quantities): Quantities {
  const rest = Object.entries(whole).map(([unit, quantity]) => [
    unit,
    quantity - (part[unit as BillingUnit] ?? 0),
  ]);
  return Object.fromEntries(rest);
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const quantityFormat = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

function refusal(unit: BillingUnit, used: number, budget: number, nowMs: number): string {
  const now = new Date(nowMs);
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const quantities = `${quantityFormat.format(used)} of its ${quantityFormat.format(budget)} ${unit}${budget === 1 ? "" : "s"}`;
  return `This key has used ${quantities} of ${monthFormat.format(now)}; it counts anew on ${dayFormat.format(next)} (UTC).`;
}
