import type { CostReason } from "#contract/money/constants.ts";
import { customType, numeric, text, timestamp } from "../drizzle.ts";

/** A point in time; read and written as Date. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
export const createdAt = () => time("created_at").notNull().defaultNow();

/** An exact amount of money; always a string in code, never a number. Null: not priced. */
export const amount = (name: string) => numeric(name);
/** The account's charge for a run, and why it is zero or unknown; both null in rows of earlier releases. */
export const chargeColumns = () => ({
  charge: amount("charge"),
  chargeReason: text("charge_reason").$type<CostReason>(),
});

/** A transaction id, as text. */
export const transaction = customType<{ data: string }>({ dataType: () => "xid8" });
