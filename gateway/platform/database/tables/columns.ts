import type { CostReason } from "#contract/money/constants.ts";
import { customType, numeric, text, timestamp } from "../drizzle.ts";

/** A point in time; read and written as Date. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
export const createdAt = () => time("created_at").notNull().defaultNow();

/** An exact amount of money: a string here, never a number. Null: not priced. */
export const amount = (name: string) => numeric(name);
/** What the account pays for a run, and why that is nothing or unknown; both null in rows of earlier releases. */
export const chargeColumns = () => ({
  charge: amount("charge"),
  chargeReason: text("charge_reason").$type<CostReason>(),
});

/** A transaction's number, as text. */
export const transaction = customType<{ data: string }>({ dataType: () => "xid8" });
