import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
} from "../drizzle.ts";
import { time } from "./columns.ts";

/** The labels of a figure. Each has few values: none is free text from a caller. */
const labels = {
  /** Empty: all accounts together. */
  accountId: text("account_id").notNull(),
  /** Which labels apply: see `FigureSet` in `figures/sums.ts`. */
  set: text("set").notNull(),
  kind: text("kind").notNull(),
  model: text("model").notNull().default(""),
  operation: text("operation").notNull().default(""),
  /** A key, or the signed-in user. */
  keyId: text("key_id").notNull().default(""),
  provider: text("provider").notNull().default(""),
  region: text("region").notNull().default(""),
  status: smallint("status").notNull(),
  code: text("code").notNull().default(""),
};

const count = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);
const sums = {
  runs: count("runs"),
  bytesIn: count("bytes_in"),
  bytesOut: count("bytes_out"),
  tokensIn: count("tokens_in"),
  tokensOut: count("tokens_out"),
  /** How long output tokens were being generated, in milliseconds. */
  generatingMs: doublePrecision("generating_ms").notNull().default(0),
  /** Histogram of times: buckets and their counts, in pairs (`figures/times.ts`). */
  times: integer("times").array().notNull().default(sql`'{}'`),
  /** The part of `tokens_in` from the upstream's cache. Null: a release that did not count it wrote the row. */
  tokensCached: bigint("tokens_cached", { mode: "number" }),
};

/** Additions to a minute's figures, until the sweep folds them in. */
export const figureAdditions = pgTable(
  "figure_additions",
  { ...labels, at: time("at").notNull(), ...sums },
  (table) => [index("figure_additions_account").on(table.accountId)],
);

export const figureSeries = pgTable(
  "figure_series",
  { id: integer("id").primaryKey().generatedAlwaysAsIdentity(), ...labels },
  (table) => [
    unique("figure_series_labels").on(
      table.accountId,
      table.set,
      table.kind,
      table.model,
      table.operation,
      table.keyId,
      table.provider,
      table.region,
      table.status,
      table.code,
    ),
  ],
);

/** The figures of a series per minute, hour and day (UTC). */
export const figures = pgTable(
  "figures",
  {
    seriesId: integer("series_id")
      .notNull()
      .references(() => figureSeries.id),
    step: text("step").$type<"minute" | "hour" | "day">().notNull(),
    at: time("at").notNull(),
    ...sums,
  },
  (table) => [
    primaryKey({ columns: [table.seriesId, table.step, table.at] }),
    index("figures_age").on(table.step, table.at),
  ],
);
