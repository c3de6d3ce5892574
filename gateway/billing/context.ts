import type { PlatformContext } from "#gateway/platform/context.ts";
import type { MoneyReservations } from "./budgets/reservations.ts";
import type { Prices } from "./prices/book.ts";
import type { Budgets } from "./usage/budgets.ts";
import type { Meter } from "./usage/meter.ts";

export interface BillingContext extends PlatformContext {
  prices: Prices;
  meter: Meter;
  budgets: Budgets;
  money: MoneyReservations;
}
