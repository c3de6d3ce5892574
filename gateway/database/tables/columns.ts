import { timestamp } from "drizzle-orm/pg-core";

/** A point in time; read and written as Date. */
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
export const createdAt = () => time("created_at").notNull().defaultNow();
