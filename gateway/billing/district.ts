import type { PlatformContext } from "#gateway/platform/context.ts";
import type { District } from "#gateway/platform/door.ts";
import { createMoneyReservations } from "./budgets/reservations.ts";
import type { BillingContext } from "./context.ts";
import { createPrices } from "./prices/book.ts";
import { createBudgets } from "./usage/budgets.ts";
import { type BudgetTeller, openMeter } from "./usage/meter.ts";
import {
  budgetBalanceSweep,
  budgetReservationSweep,
  budgetThresholdSweep,
  moneyReservationSweep,
  taskSweep,
  usageLineSweep,
} from "./usage/sweeps.ts";
import { installUsage } from "./usage/usage.ts";

export const billing: District<PlatformContext & { teller: BudgetTeller }, BillingContext> = {
  async open({ teller, ...below }, keep) {
    const { config, database, log } = below;
    const { dataDir, currency } = config;
    const meter = keep(await openMeter(dataDir, database, log, teller));
    const money = keep(createMoneyReservations({ database, currency, unwritten: meter, log }));
    const budgets = keep(createBudgets({ database, meter, money, log }));
    return { ...below, prices: createPrices(currency), meter, budgets, money };
  },
  routes: [installUsage],
  sweeps: [
    budgetReservationSweep,
    moneyReservationSweep,
    budgetBalanceSweep,
    budgetThresholdSweep,
    taskSweep,
    usageLineSweep,
  ],
};
