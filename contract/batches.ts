import { type Static, Type } from "typebox";
import { Maker, makerFilters } from "./accounts/people.ts";
import { Gated } from "./attestations.ts";
import { batchKinds, batchLimits, batchRowStatuses, batchStatuses } from "./batch-constants.ts";
import { apiTypes, billingUnits } from "./catalog-constants.ts";
import { closed, ListOf, Nullable, PageQuery, SearchFilter, Timestamp } from "./list.ts";
import { pageLimit } from "./list-constants.ts";
import { Metadata } from "./metadata.ts";
import { BudgetState, TotalBudgets } from "./money/budgets.ts";
import { Amount, Cost, Currency } from "./money/cost.ts";
import { PreviewUrl } from "./outputs.ts";
import { OutputFile } from "./prediction.ts";

export * from "./batch-constants.ts";

const { maxRows, maxCompared, maxBytes, concurrency, nameMaxLength, maxFaults, maxPictures } = batchLimits;

const text = Type.String({ minLength: 1, maxLength: maxBytes });

/** One operation, with its inputs in exactly one of `rows`, `csv`, `jsonl` and `upload`. */
const inputs = {
  model: Type.String(),
  api_type: Type.Optional(
    Type.Enum(apiTypes, { description: "the operation of all rows, for a model with several operations" }),
  ),
  kind: Type.Optional(
    Type.Enum(batchKinds, {
      description: `\`comparison\`: at most ${maxCompared} \`rows\`, each with its own \`model\` and, if it differs, its own \`api_type\`; \`table\` by default`,
    }),
  ),
  rows: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      maxItems: maxRows,
      description:
        "the input of each run. A row may name another `model` with the same operation; by default it runs the batch's model",
    }),
  ),
  csv: Type.Optional(
    Type.String({
      ...text,
      description:
        "a header with the names of input fields, then a line for each run. Commas, semicolons or tabs; an empty cell leaves the field out. Lists and objects are JSON. For a chat, `prompt` and `system` are columns too",
    }),
  ),
  jsonl: Type.Optional(Type.String({ ...text, description: "a JSON object on each line" })),
  upload: Type.Optional(
    Type.String({ description: "`upload://upl_…`: a verified upload of `text/csv` or `application/jsonl`" }),
  ),
};

export const BatchCheckRequest = Type.Object(inputs, closed);
export type BatchCheckRequest = Static<typeof BatchCheckRequest>;

export const BatchCreate = Type.Object(
  {
    ...inputs,
    name: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: nameMaxLength }))),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: concurrency.min,
        maximum: concurrency.max,
        description: `rows that run at the same time; ${concurrency.default} by default`,
      }),
    ),
    budgets: Type.Optional(TotalBudgets),
    callback_url: Type.Optional(
      Type.String({
        description:
          "an address that gets an event when the batch has ended, in addition to the account's endpoints",
      }),
    ),
  },
  closed,
);
export type BatchCreate = Static<typeof BatchCreate>;

export const BatchFault = Type.Object({
  row: Nullable(
    Type.Integer({
      description: "number of the row, counted from 1; null: the fault is in the header or the whole file",
    }),
  ),
  line: Nullable(
    Type.Integer({
      description: "line of the file on which the row begins, counted from 1; null for `rows`",
    }),
  ),
  column: Nullable(Type.String({ description: "name of the field, which is the name of its column" })),
  code: Type.String(),
  message: Type.String(),
});
export type BatchFault = Static<typeof BatchFault>;

/** The maximum usage of the rows; `quantity` is null if it is unknown before they run. */
export const BatchEstimate = Type.Object({
  unit: Type.Enum(billingUnits),
  quantity: Nullable(Type.Number()),
});
export type BatchEstimate = Static<typeof BatchEstimate>;

/** The maximum cost of the rows for the account. */
export const BatchMostCost = Type.Object({
  amount: Nullable(Amount),
  currency: Currency,
  reason: Nullable(
    Type.Enum(["not_priced", "no_maximum"] as const, {
      description:
        "why the amount is unknown: a row has no price, or neither the row nor its model limits how much it may use",
    }),
  ),
});
export type BatchMostCost = Static<typeof BatchMostCost>;

/** The result of a check of a batch without running it. When `ok` is true, the batch can be started. */
export const BatchCheck = Type.Object({
  object: Type.Literal("batch.check"),
  ok: Type.Boolean(),
  model: Type.String(),
  api_type: Type.Enum(apiTypes),
  rows: Type.Integer({ description: "number of rows in the input" }),
  faults: Type.Array(BatchFault, { description: `the first ${maxFaults} faults` }),
  faults_total: Type.Integer(),
  ignored: Type.Array(Type.String(), {
    description: "columns that are not an input of the operation; they are copied to the results",
  }),
  estimated: BatchEstimate,
  most_cost: BatchMostCost,
});
export type BatchCheck = Static<typeof BatchCheck>;

const Reason = Type.Object({ code: Type.String(), message: Type.String() });

export const BatchCounts = Type.Object({
  total: Type.Integer(),
  queued: Type.Integer(),
  running: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  canceled: Type.Integer(),
});
export type BatchCounts = Static<typeof BatchCounts>;

/** The account's cost for the finished rows, and the expected total. */
export const BatchCost = Type.Object({
  amount: Amount,
  currency: Currency,
  not_priced_rows: Type.Integer({
    description: "finished rows without a price, which the amount does not include",
  }),
  /**
   * The expected total if the remaining rows cost as much on average as the finished ones; null before the
   * first.
   */
  estimated: Nullable(Amount),
});
export type BatchCost = Static<typeof BatchCost>;

/** One of the first files that a batch made. */
const BatchPicture = Type.Object({
  row: Type.Integer(),
  content_type: Type.String(),
  preview_url: PreviewUrl,
  gated: Gated,
});
export type BatchPicture = Static<typeof BatchPicture>;

export const Batch = Type.Object({
  id: Type.String(),
  object: Type.Literal("batch"),
  kind: Type.Enum(batchKinds),
  name: Nullable(Type.String()),
  model: Type.String(),
  models: Type.Array(Type.String(), { description: "models of the rows; several when rows name a model" }),
  api_type: Type.Enum(apiTypes),
  status: Type.String(),
  /**
   * Why the gateway paused or stopped the batch. Null when a person did, or when the batch is neither paused
   * nor stopped.
   */
  reason: Nullable(Reason),
  waits_until: Nullable(
    Type.String({
      format: "date-time",
      description:
        "until when the batch waits for a rate or concurrency limit of the person or key that runs it",
    }),
  ),
  concurrency: Type.Integer(),
  counts: BatchCounts,
  usage: Type.Object({ unit: Type.Enum(billingUnits), quantity: Type.Number() }),
  estimated: BatchEstimate,
  cost: BatchCost,
  picked_row: Nullable(
    Type.Integer({ description: "number of the row that somebody chose as the best of a comparison" }),
  ),
  budgets: Type.Array(BudgetState, {
    description: "budgets for the cost of all rows together, each with the amount spent",
  }),
  ignored: Type.Array(Type.String()),
  openai: Nullable(
    Type.Object(
      {
        endpoint: Type.String(),
        input_file_id: Type.String(),
        output_file_id: Nullable(Type.String()),
        error_file_id: Nullable(Type.String()),
        metadata: Nullable(Metadata),
      },
      { description: "metadata of a batch that was created in OpenAI's shape" },
    ),
  ),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
  first_output_expires_at: Nullable(
    Type.String({
      format: "date-time",
      description: "when the first of the stored outputs will be removed",
    }),
  ),
  expires_at: Nullable(Type.String({ format: "date-time", description: "when the inputs will be removed" })),
  data_removed: Type.Boolean(),
  pictures: Type.Optional(
    Type.Array(BatchPicture, {
      description: `the first files of the first rows that succeeded, at most ${maxPictures}; only in lists that are filtered, or asked with \`shape\``,
    }),
  ),
  request_id: Nullable(Type.String()),
  made_by: Maker,
  /**
   * The person or key that last started, resumed or retried the batch. The permissions and limits of this
   * person or key apply to its rows.
   */
  runs_as: Maker,
});
export type Batch = Static<typeof Batch>;

export const BatchList = ListOf(Batch);
export type BatchList = Static<typeof BatchList>;

const BatchShape = Type.Optional(
  Type.Literal("gatehouse", {
    description:
      "`gatehouse`: the answer has this gateway's shape. Without it, a batch that was created in OpenAI's shape is answered in that shape. A filtered list does not need it",
  }),
);
export const BatchShapeQuery = Type.Object({ shape: BatchShape }, closed);

export const BatchQuery = Type.Interface(
  [PageQuery],
  {
    search: Type.Optional(SearchFilter),
    kind: Type.Optional(Type.Enum(batchKinds)),
    status: Type.Optional(Type.Enum(batchStatuses)),
    model: Type.Optional(Type.String()),
    shape: BatchShape,
    ...makerFilters,
  },
  closed,
);
export type BatchQuery = Static<typeof BatchQuery>;

export const BatchRow = Type.Object({
  object: Type.Literal("batch.row"),
  row: Type.Integer({ description: "number of the row, counted from 1" }),
  line: Nullable(Type.Integer({ description: "line of the file on which the row begins" })),
  custom_id: Nullable(
    Type.String({ description: "the caller's name for the row, in a file of OpenAI's shape" }),
  ),
  model: Type.String(),
  api_type: Type.Enum(apiTypes),
  status: Type.String(),
  input: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "null: the input was removed, or an attestation is missing",
    }),
  ),
  gated: Gated,
  run_id: Nullable(
    Type.String({ description: "id of the run: `pred_…` for an async operation, otherwise `gen_…`" }),
  ),
  text: Nullable(Type.String({ description: "text of a chat's answer or of a transcription" })),
  output: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "answer of a sync operation without media, as its route returns it",
    }),
  ),
  data: Nullable(Type.Array(OutputFile)),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String(), type: Type.String() })),
  usage: Nullable(Type.Object({ unit: Type.Enum(billingUnits), quantity: Type.Number() })),
  cost: Nullable(Cost),
  svc_region: Nullable(Type.String()),
  sandbox: Type.Boolean(),
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  expires_at: Nullable(
    Type.String({ format: "date-time", description: "when the row's output will be removed" }),
  ),
  data_removed: Type.Boolean(),
});
export type BatchRow = Static<typeof BatchRow>;

/** In row order, unlike other lists: `after` is a row number. */
export const BatchRowList = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(BatchRow),
  has_more: Type.Boolean(),
  first_row: Nullable(Type.Integer()),
  last_row: Nullable(Type.Integer()),
});
export type BatchRowList = Static<typeof BatchRowList>;

export const BatchRowQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum(batchRowStatuses)),
    limit: Type.Optional(
      Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max, default: pageLimit.default }),
    ),
    after: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
);
export type BatchRowQuery = Static<typeof BatchRowQuery>;

const confirmation = {
  person_rights_confirmed: Type.Optional(
    Type.Boolean({
      description:
        "repeats the confirmation that the rows needed at their first run; required when such a row runs again",
    }),
  ),
};

/** Retries failed rows and, on request, rows that were canceled when the batch was stopped. */
export const BatchRetry = Type.Object(
  {
    canceled: Type.Optional(Type.Boolean({ description: "also retry canceled rows" })),
    row: Type.Optional(
      Type.Integer({ minimum: 1, description: "retry only this row, which failed or was canceled" }),
    ),
    ...confirmation,
  },
  closed,
);
export type BatchRetry = Static<typeof BatchRetry>;

/** With `budgets`, the batch continues under these budgets. An empty list removes all budgets. */
export const BatchResume = Type.Object({ budgets: Type.Optional(TotalBudgets), ...confirmation }, closed);
export type BatchResume = Static<typeof BatchResume>;

/** The best row of a comparison. Null removes the choice. */
export const BatchPick = Type.Object({ row: Nullable(Type.Integer({ minimum: 1 })) }, closed);
export type BatchPick = Static<typeof BatchPick>;
