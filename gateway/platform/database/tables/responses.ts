import type { Item, Response, ResponseCreate } from "#contract/responses.ts";
import { bigint, boolean, index, integer, json, jsonb, pgTable, primaryKey, text } from "../drizzle.ts";
import { accountId } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import type { ReceiptFacts } from "./predictions.ts";

/** One response of a conversation: its own input, its output, and a reference to the previous response. */
export const responses = pgTable(
  "responses",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The caller, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    /** The response that it continues; its items are not repeated here. */
    previousId: text("previous_id"),
    /** As text, because a model's output may contain characters that `jsonb` refuses. */
    input: json("input").$type<Item[]>().notNull(),
    response: json("response").$type<Response>().notNull(),
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull(),
    /** As in `predictions`. */
    receipt: jsonb("receipt").$type<ReceiptFacts>(),
    createdAt: createdAt(),
    expiresAt: time("expires_at").notNull(),
    /** A deleted response has no content, and stays for its receipt until it expires. */
    deletedAt: time("deleted_at"),
  },
  (table) => [
    index("responses_account").on(table.accountId, table.id),
    index("responses_expiry").on(table.expiresAt),
  ],
);

/** Background responses that have not ended: the row is the job, which a worker leases. */
export const responseJobs = pgTable(
  "response_jobs",
  {
    /** The id of the response. */
    id: text("id")
      .primaryKey()
      .references(() => responses.id, { onDelete: "cascade" }),
    accountId: text("account_id").notNull(),
    keyId: text("key_id"),
    userId: text("user_id"),
    /** The original request. */
    body: json("body").$type<ResponseCreate>().notNull(),
    /** Whether nothing of its contents may be kept. */
    declinesContents: boolean("declines_contents"),
    /** The run from whose id the response's id is derived. */
    runId: text("run_id").notNull(),
    attempts: integer("attempts").notNull().default(0),
    nextCheckAt: time("next_check_at").notNull().defaultNow(),
    deadlineAt: time("deadline_at").notNull(),
    /** As in `predictions`: set so that after a crash the outcome counts as unknown. */
    dispatchedAt: time("dispatched_at"),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    /** As in `predictions`. */
    traceParent: text("trace_parent"),
    createdAt: createdAt(),
  },
  (table) => [index("response_jobs_due").on(table.nextCheckAt)],
);

/** Events of a streamed background response, stored in groups while it is made. */
export const responseEvents = pgTable(
  "response_events",
  {
    responseId: text("response_id")
      .notNull()
      .references(() => responses.id, { onDelete: "cascade" }),
    /** The number of the first event; the others follow. */
    number: integer("number").notNull(),
    /** As text, like the items in `responses`. */
    events: json("events").$type<Record<string, unknown>[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.responseId, table.number] })],
);
