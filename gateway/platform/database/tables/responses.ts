import type { Item, Response, ResponseCreate } from "#contract/responses.ts";
import { bigint, index, integer, json, pgTable, primaryKey, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

/** What was said in one response: its own input, its output, and where the conversation before it is. */
export const responses = pgTable(
  "responses",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Who asked, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    /** Without the items that it goes on from. */
    previousId: text("previous_id"),
    /** As text: a model may say what `jsonb` refuses. */
    input: json("input").$type<Item[]>().notNull(),
    response: json("response").$type<Response>().notNull(),
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [
    index("responses_account").on(table.accountId, table.id),
    index("responses_expiry").on(table.expiresAt),
  ],
);

/** Responses in the background that have not ended: the row is the job, which a worker leases. */
export const responseJobs = pgTable(
  "response_jobs",
  {
    /** That of the response. */
    id: text("id")
      .primaryKey()
      .references(() => responses.id, { onDelete: "cascade" }),
    accountId: text("account_id").notNull(),
    keyId: text("key_id"),
    userId: text("user_id"),
    /** As it was asked for. */
    body: json("body").$type<ResponseCreate>().notNull(),
    /** The run that the response's id is made of. */
    runId: text("run_id").notNull(),
    attempts: integer("attempts").notNull().default(0),
    nextCheckAt: time("next_check_at").notNull().defaultNow(),
    deadlineAt: time("deadline_at").notNull(),
    /** As in `predictions`: after a crash the outcome is known to be unknown. */
    dispatchedAt: time("dispatched_at"),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    /** As in `predictions`. */
    traceParent: text("trace_parent"),
    createdAt: createdAt(),
  },
  (table) => [index("response_jobs_due").on(table.nextCheckAt)],
);

/** Events of a response in the background that is streamed, kept in pieces while it is made. */
export const responseEvents = pgTable(
  "response_events",
  {
    responseId: text("response_id")
      .notNull()
      .references(() => responses.id, { onDelete: "cascade" }),
    /** The number of the first one; the others follow. */
    number: integer("number").notNull(),
    /** As text, as `responses` has its items. */
    events: json("events").$type<Record<string, unknown>[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.responseId, table.number] })],
);
