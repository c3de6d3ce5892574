import type { BatchKind, BatchRowStatus, BatchStatus, OpenAiEndpoint } from "#contract/batch-constants.ts";
import type { ApiType, BillingUnit, RegionName } from "#contract/catalog.ts";
import type { ErrorCode } from "#contract/error.ts";
import type { Metadata } from "#contract/metadata.ts";
import type { Budgets } from "#contract/money/budgets.ts";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
} from "../drizzle.ts";
import { accountId } from "./accounts.ts";
import { chargeColumns, createdAt, time } from "./columns.ts";
import type { StoredOutput } from "./predictions.ts";

/** The request for a batch in OpenAI's shape. */
export interface OpenAiRequest {
  endpoint: OpenAiEndpoint;
  /** The upload that its rows were read from. */
  inputFileId: string;
  metadata: Metadata | null;
}

export const batches = pgTable(
  "batches",
  {
    id: text("id").primaryKey(),
    accountId: accountId(),
    /** The creator, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    /** The caller that rows run as from now on: the one who last started, resumed or retried the batch. */
    runsAsKeyId: text("runs_as_key_id"),
    runsAsUserId: text("runs_as_user_id"),
    requestId: text("request_id"),
    /** Whether nothing of the contents of its rows may be kept. */
    declinesContents: boolean("declines_contents"),
    name: text("name"),
    kind: text("kind").$type<BatchKind>().notNull().default("table"),
    /** The settings of a batch that was created in OpenAI's shape; null if it was created in ours. */
    openAi: jsonb("open_ai").$type<OpenAiRequest>(),
    model: text("model").notNull(),
    apiType: text("api_type").$type<ApiType>().notNull(),
    billingUnit: text("billing_unit").$type<BillingUnit>().notNull(),
    status: text("status").$type<BatchStatus>().notNull().default("running"),
    /** Why the gateway paused or stopped the batch. */
    reason: jsonb("reason").$type<{ code: ErrorCode; message: string }>(),
    concurrency: integer("concurrency").notNull(),
    /** The names of all input fields, in order. */
    columns: jsonb("columns").$type<string[]>().notNull(),
    ignored: jsonb("ignored").$type<string[]>().notNull().default([]),
    /** Null if unknown. */
    estimatedQuantity: doublePrecision("estimated_quantity"),
    /** Budgets in money for the whole batch; null: no budget. */
    budgets: jsonb("budgets").$type<Budgets>(),
    /** The row of a comparison picked as the best. */
    pickedRow: integer("picked_row"),
    /** The size of its rows, inputs and (once it has ended) outputs: counts towards the account's storage. */
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull().default(0),
    /** How often it was started: each round ends with its own event. */
    round: integer("round").notNull().default(1),
    /** When rows were last claimed: batches take turns. */
    claimedAt: time("claimed_at"),
    /** Until this time the limits of the person or key that runs the batch leave no room. */
    waitsUntil: time("waits_until"),
    /** When the batch is stopped at the latest. */
    deadlineAt: time("deadline_at").notNull(),
    /** The caller's trace, which the batch's rows continue, as in `predictions`. */
    traceParent: text("trace_parent"),
    createdAt: createdAt(),
    finishedAt: time("finished_at"),
    /** When the inputs are removed. */
    expiresAt: time("expires_at"),
    dataRemovedAt: time("data_removed_at"),
  },
  (table) => [
    index("batches_account").on(table.accountId, table.id),
    index("batches_request").on(table.requestId),
    index("batches_open").on(table.accountId).where(sql`status not in ('finished', 'stopped')`),
    index("batches_expiry")
      .on(table.expiresAt)
      .where(sql`expires_at is not null and data_removed_at is null`),
  ],
);

/** One run of a batch, stored before it starts. The row is its own job, like a prediction. */
export const batchRows = pgTable(
  "batch_rows",
  {
    batchId: text("batch_id")
      .notNull()
      .references(() => batches.id, { onDelete: "cascade" }),
    /** The row's place in the batch, counted from 1. */
    row: integer("row").notNull(),
    /** The line of the source file on which the row begins. */
    line: integer("line"),
    /** The `custom_id` of the row, in a file of OpenAI's shape. */
    customId: text("custom_id"),
    /** The row's model. In a batch made from a table, it has the same operation as the batch's model. */
    model: text("model").notNull(),
    /** The row's operation in a comparison of models; null: that of the batch. */
    apiType: text("api_type").$type<ApiType>(),
    status: text("status").$type<BatchRowStatus>().notNull().default("queued"),
    /** The input as sent; null once it was removed. */
    input: jsonb("input").$type<Record<string, unknown>>(),
    /** The run that was started last. */
    runId: text("run_id"),
    /** The prediction that an async row became. */
    predictionId: text("prediction_id"),
    /** How often the row could not start for a temporary reason. */
    attempts: integer("attempts").notNull().default(0),
    nextCheckAt: time("next_check_at").notNull().defaultNow(),
    /** Set before the upstream of a sync operation is called, as in `predictions`. */
    dispatchedAt: time("dispatched_at"),
    leaseOwner: text("lease_owner"),
    leaseExpiresAt: time("lease_expires_at"),
    output: jsonb("output").$type<Record<string, unknown>>(),
    files: jsonb("files").$type<StoredOutput[]>(),
    error: jsonb("error").$type<{ code: string; message: string; type: string }>(),
    usageUnit: text("usage_unit").$type<BillingUnit>(),
    usageQuantity: doublePrecision("usage_quantity"),
    ...chargeColumns(),
    svcRegion: text("svc_region").$type<RegionName>(),
    sandbox: boolean("sandbox").notNull().default(false),
    startedAt: time("started_at"),
    completedAt: time("completed_at"),
    /** When its output is removed. */
    expiresAt: time("expires_at"),
    dataRemovedAt: time("data_removed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.row] }),
    index("batch_rows_status").on(table.batchId, table.status, table.row),
    index("batch_rows_leased")
      .on(table.leaseExpiresAt)
      .where(sql`status = 'running' and prediction_id is null`),
    index("batch_rows_prediction")
      .on(table.predictionId)
      .where(sql`status = 'running' and prediction_id is not null`),
    index("batch_rows_expiry")
      .on(table.expiresAt)
      .where(sql`expires_at is not null and data_removed_at is null`),
  ],
);
