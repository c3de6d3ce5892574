import type { BalanceHolder, BudgetPeriod } from "#contract/money/budget-constants.ts";
import {
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
} from "../drizzle.ts";
import { accountId } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** Identifies a row of `budget_balances` in reservations. */
export interface BalanceKey {
  kind: BalanceHolder;
  holder: string;
  period: BudgetPeriod;
  starts_on: string;
}

/**
 * The spending of an account, member, key, batch or task per day, week, month and in total, and the reservations of
 * its running work. Costs are added for everybody, also without a budget, so that a budget added later starts
 * with the right sum.
 */
export const budgetBalances = pgTable(
  "budget_balances",
  {
    kind: text("kind").$type<BalanceHolder>().notNull(),
    /** The id of the account, key, batch or task; for a member, the user's and the account's (`usr_… acct_…`). */
    holder: text("holder").notNull(),
    period: text("period").$type<BudgetPeriod>().notNull(),
    /** The first day of the period (UTC); empty for `total`. */
    startsOn: text("starts_on").notNull(),
    accountId: accountId(),
    spent: numeric("spent").notNull().default("0"),
    reserved: numeric("reserved").notNull().default("0"),
    /** Of a task only: its runs so far, and when the last one was admitted. */
    runs: integer("runs").notNull().default(0),
    lastRunAt: time("last_run_at"),
  },
  (table) => [
    primaryKey({ columns: [table.holder, table.period, table.startsOn] }),
    index("budget_balances_task").on(table.lastRunAt).where(sql`kind = 'task'`),
    index("budget_balances_account").on(table.accountId),
    index("budget_balances_start").on(table.startsOn).where(sql`starts_on <> ''`),
  ],
);

/**
 * The most that runs may cost, from admission to end: part of `reserved` in the named balances. The run's
 * process renews it, so that reservations of a killed process expire; an accepted prediction's lasts beyond
 * its deadline.
 */
export const moneyReservations = pgTable(
  "money_reservations",
  {
    runId: text("run_id").primaryKey(),
    accountId: accountId(),
    amount: numeric("amount").notNull(),
    balances: jsonb("balances").$type<BalanceKey[]>().notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    index("money_reservations_expiry").on(table.expiresAt),
    index("money_reservations_account").on(table.accountId, table.expiresAt),
  ],
);

/** Budget thresholds that were reached, once per budget and period. */
export const budgetThresholds = pgTable(
  "budget_thresholds",
  {
    holder: text("holder").notNull(),
    period: text("period").$type<BudgetPeriod>().notNull(),
    startsOn: text("starts_on").notNull(),
    /** `hard 20` or `soft 20`: a changed amount counts as another budget. */
    budget: text("budget").notNull(),
    /** Percent. */
    share: smallint("share").notNull(),
    accountId: accountId(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.holder, table.period, table.startsOn, table.budget, table.share] }),
    index("budget_thresholds_account").on(table.accountId),
    index("budget_thresholds_start").on(table.startsOn).where(sql`starts_on <> ''`),
  ],
);

/**
 * A task: one value of the metadata key that an account or a key caps. Its runs and spending are in its row of
 * `budget_balances`. It is made by its first run.
 */
export const tasks = pgTable(
  "tasks",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The account or key whose cap it is. */
    holder: text("holder").notNull(),
    metadataKey: text("metadata_key").notNull(),
    value: text("value").notNull(),
    /** Its own limits, once somebody has raised them; null: those of the cap. */
    amount: numeric("amount"),
    maxRuns: integer("max_runs"),
    endedAt: time("ended_at"),
    createdAt: createdAt(),
  },
  (table) => [
    unique("tasks_value").on(table.holder, table.metadataKey, table.value),
    index("tasks_account").on(table.accountId, table.id),
  ],
);

/** Credit that operators added to prepaid accounts or removed from them. */
export const accountCredits = pgTable(
  "account_credits",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    amount: numeric("amount").notNull(),
    note: text("note").notNull(),
    /** The operator who added it; null: it was added on the command line. */
    addedBy: text("added_by"),
    createdAt: createdAt(),
    /** The account's balance after this credit. Null in rows of earlier releases. */
    balanceAfter: numeric("balance_after"),
  },
  (table) => [index("account_credits_account").on(table.accountId, table.id)],
);
