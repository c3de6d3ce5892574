import { type TSchema, Type } from "typebox";
import { roles } from "./accounts/roles.ts";
import { Batch } from "./batches.ts";
import { BudgetThreshold } from "./money/budgets.ts";
import { Nullable, Timestamp } from "./nullable.ts";
import { Prediction } from "./prediction.ts";
import { Response } from "./responses.ts";
import { Delivery } from "./webhook.ts";
import {
  disabledReasons,
  type EventType,
  endpointStatuses,
  type NoticeEventType,
} from "./webhook-constants.ts";

interface EventTypeEntry {
  description: string;
  /** JSON Schema of the body that a receiver gets. */
  schema: Record<string, unknown>;
  /** One such body. */
  example: Record<string, unknown>;
}

/** Events contain the result of a prediction, not its input. */
const { input: _input, ...predictionFields } = Prediction.properties;
const PredictionObject = Type.Object(predictionFields);

/** What events say of an endpoint. */
export const EndpointObject = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.endpoint"),
  url: Type.String(),
  description: Nullable(Type.String()),
  status: Type.Enum(endpointStatuses),
  disabled_reason: Nullable(Type.Enum(disabledReasons)),
  consecutive_failures: Type.Integer(),
  failing_since: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  last_failure_at: Nullable(Timestamp),
});

const TestObject = Type.Object({
  id: Type.String(),
  object: Type.Literal("webhook.endpoint"),
  url: Type.String(),
  message: Type.String(),
});

const noticeObject = (type: NoticeEventType, more: Record<string, TSchema>) =>
  Type.Object({ object: Type.Literal(type), ...more });

const ids = {
  event: "evt_01jd3v5w8z0000000000000001",
  account: "acct_01jd3v5w8z0000000000000002",
  prediction: "pred_01jd3v5w8z0000000000000003",
  endpoint: "we_01jd3v5w8z0000000000000004",
};
const at = "2026-11-20T10:00:00.000Z";
const later = "2026-11-20T10:00:08.000Z";

const prediction = {
  id: ids.prediction,
  object: "prediction",
  model: "acme/painter",
  api_type: "image-generation",
  poll_url: `https://gateway.example.com/v1/predictions/${ids.prediction}`,
  svc_region: "us-oregon",
  urls: {
    get: `https://gateway.example.com/v1/predictions/${ids.prediction}`,
    cancel: `https://gateway.example.com/v1/predictions/${ids.prediction}/cancel`,
  },
  output: null,
  data: null,
  error: null,
  metrics: { queue_time: 0.4, predict_time: 7.1, total_time: 7.5 },
  usage: null,
  cost: null,
  progress: null,
  created_at: at,
  started_at: at,
  completed_at: later,
  expires_at: "2026-11-21T10:00:08.000Z",
  data_removed: false,
  request_id: null,
  metadata: { order: "4711" },
  sandbox: false,
  timeline: [],
};

const batch = {
  id: "batch_01jd3v5w8z0000000000000005",
  object: "batch",
  kind: "table",
  picked_row: null,
  name: "Products of autumn",
  model: "acme/painter",
  models: ["acme/painter"],
  api_type: "image-generation",
  status: "finished",
  reason: null,
  waits_until: null,
  concurrency: 4,
  counts: { total: 20, queued: 0, running: 0, succeeded: 19, failed: 1, canceled: 0 },
  usage: { unit: "generation", quantity: 19 },
  cost: { amount: "0.95", currency: "USD", not_priced_rows: 0, estimated: "0.95" },
  budgets: [],
  estimated: { unit: "generation", quantity: 20 },
  ignored: [],
  created_at: at,
  finished_at: later,
  first_output_expires_at: "2026-11-21T10:00:02.000Z",
  expires_at: "2026-11-21T10:00:08.000Z",
  data_removed: false,
  request_id: null,
  made_by: { user: null, key: null },
  runs_as: { user: null, key: null },
};

const response = {
  id: "resp_01jd3v5w8z0000000000000006",
  object: "response",
  created_at: 1_795_168_800,
  completed_at: 1_795_168_808,
  incomplete_details: null,
  error: null,
  model: "acme/talker",
  previous_response_id: null,
  instructions: null,
  output: [],
  tools: [],
  tool_choice: "auto",
  truncation: "disabled",
  parallel_tool_calls: true,
  text: { format: { type: "text" } },
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  temperature: 1,
  reasoning: {},
  usage: null,
  max_output_tokens: null,
  max_tool_calls: null,
  store: true,
  background: true,
  service_tier: "default",
  metadata: {},
  safety_identifier: null,
  prompt_cache_key: null,
  user: null,
  svc_region: "us-oregon",
};

const endpoint = {
  id: ids.endpoint,
  object: "webhook.endpoint",
  url: "https://example.com/hooks",
  description: null,
  status: "enabled",
  disabled_reason: null,
  consecutive_failures: 4,
  failing_since: at,
  last_success_at: null,
  last_failure_at: later,
};

const delivery = {
  id: "dlv_01jd3v5w8z0000000000000007",
  object: "webhook.delivery",
  event_id: "evt_01jd3v5w8z0000000000000008",
  event_type: "prediction.succeeded",
  endpoint_id: ids.endpoint,
  endpoint_description: "Orders",
  url: "https://example.com/hooks",
  prediction_id: ids.prediction,
  status: "dead-letter",
  trigger: "automatic",
  attempts: 8,
  max_attempts: 8,
  last_error: "http_5xx",
  last_status_code: 503,
  next_attempt_at: null,
  waits_for: null,
  created_at: at,
  delivered_at: null,
  retry_of: null,
  retried_as: null,
};

const budget = {
  object: "budget.threshold",
  share: 80,
  holder: { type: "key", id: "key_01jd3v5w8z0000000000000009", name: "Website" },
  amount: "100",
  currency: "USD",
  period: "month",
  hard: true,
  spent: "80.125",
  period_start: "2026-11-01T00:00:00.000Z",
  resets_at: "2026-12-01T00:00:00.000Z",
};

const failure = { code: "upstream_error", message: "The provider failed.", type: "api_error" };

/** Every type of event: what it means, and the body that a receiver gets. Validation, page, docs and API come from here. */
export const eventTypeTable: Record<EventType, EventTypeEntry> = {
  "prediction.succeeded": entry(
    "prediction.succeeded",
    PredictionObject,
    "A prediction ended with a result.",
    {
      ...prediction,
      status: "succeeded",
      output: ["https://gateway.example.com/v1/files/a.png"],
      usage: { unit: "generation", quantity: 1 },
      progress: 100,
    },
  ),
  "prediction.failed": entry("prediction.failed", PredictionObject, "A prediction ended with an error.", {
    ...prediction,
    status: "failed",
    error: failure,
  }),
  "prediction.canceled": entry("prediction.canceled", PredictionObject, "A prediction was canceled.", {
    ...prediction,
    status: "canceled",
  }),
  "batch.finished": entry(
    "batch.finished",
    Batch,
    "All rows of a batch have ended, or the rest was stopped.",
    batch,
  ),
  "response.completed": entry("response.completed", Response, "A response in the background is complete.", {
    ...response,
    status: "completed",
  }),
  "response.incomplete": entry(
    "response.incomplete",
    Response,
    "A response in the background ended before it was complete.",
    { ...response, status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
  ),
  "response.failed": entry("response.failed", Response, "A response in the background failed.", {
    ...response,
    status: "failed",
    error: { code: "upstream_error", message: "The provider failed." },
  }),
  "response.cancelled": entry("response.cancelled", Response, "A response in the background was canceled.", {
    ...response,
    status: "cancelled",
  }),
  "outputs.expiring": entry(
    "outputs.expiring",
    noticeObject("outputs.expiring", {
      user_id: Nullable(Type.String({ description: "whose predictions they are; null: of service keys" })),
      predictions: Type.Integer({ description: "how many of them have outputs that are removed soon" }),
      from: Timestamp,
      until: Timestamp,
    }),
    "Outputs are removed within the next two hours: told an hour before the first, together for each person.",
    { object: "outputs.expiring", user_id: null, predictions: 3, from: at, until: later },
  ),
  "attestation.withdrawn": entry(
    "attestation.withdrawn",
    noticeObject("attestation.withdrawn", {
      id: Type.String(),
      kind: Type.String(),
      name: Type.String({ description: "who withdrew it" }),
    }),
    "An attestation was withdrawn: models that need it stop running for those it covered.",
    { object: "attestation.withdrawn", id: "atst_01jd3v5w8z000000000000000a", kind: "adult", name: "Ada" },
  ),
  "key.expiring": entry(
    "key.expiring",
    noticeObject("key.expiring", {
      id: Type.String(),
      user_id: Nullable(Type.String({ description: "whose personal key it is; null: a service key" })),
      name: Type.String(),
      hint: Type.String(),
      expires_at: Timestamp,
    }),
    "A key expires in a week, and again in a day.",
    {
      ...{ object: "key.expiring", id: "key_01jd3v5w8z000000000000000b", user_id: null, name: "Website" },
      ...{ hint: "gh_…4711", expires_at: "2026-11-27T10:00:00.000Z" },
    },
  ),
  "member.joined": entry(
    "member.joined",
    noticeObject("member.joined", {
      id: Type.String({ description: "the user" }),
      name: Type.String(),
      role: Type.Enum(roles),
    }),
    "Somebody joined the account.",
    { object: "member.joined", id: "usr_01jd3v5w8z000000000000000c", name: "Ada", role: "member" },
  ),
  "endpoint.failing": entry(
    "endpoint.failing",
    EndpointObject,
    "Another endpoint of the account failed four times in a row.",
    endpoint,
  ),
  "endpoint.disabled": entry(
    "endpoint.disabled",
    EndpointObject,
    "Another endpoint was disabled: by a person, after days of failures, or because its receiver asked for it.",
    { ...endpoint, status: "disabled", disabled_reason: "gone", consecutive_failures: 1 },
  ),
  "endpoint.recovered": entry(
    "endpoint.recovered",
    EndpointObject,
    "Another endpoint that failed or was disabled has accepted an event again.",
    { ...endpoint, consecutive_failures: 0, failing_since: null, last_success_at: later },
  ),
  "delivery.exhausted": entry(
    "delivery.exhausted",
    Delivery,
    "A delivery to another endpoint was given up: all attempts failed, or its payload was removed first.",
    delivery,
  ),
  "budget.threshold": entry(
    "budget.threshold",
    BudgetThreshold,
    "Of a budget in money 50, 80 or 100 percent are spent; told once for each period.",
    budget,
  ),
  "endpoint.test": entry("endpoint.test", TestObject, "A test, sent by hand to one endpoint.", {
    id: ids.endpoint,
    object: "webhook.endpoint",
    url: "https://example.com/hooks",
    message: "This is a test event.",
  }),
};

function entry(
  type: EventType,
  object: TSchema,
  description: string,
  example: Record<string, unknown>,
): EventTypeEntry {
  const schema = Type.Object({
    id: Type.String({
      description: "the same in each delivery of this event: skip one that you have handled",
    }),
    object: Type.Literal("event"),
    type: Type.Literal(type),
    api_version: Type.Literal("v1"),
    created: Timestamp,
    account: Type.String(),
    data: Type.Object({ object }),
  });
  return {
    description,
    // As it is on the wire, without what the library adds.
    schema: JSON.parse(JSON.stringify(schema)) as Record<string, unknown>,
    example: {
      id: ids.event,
      object: "event",
      type,
      api_version: "v1",
      created: later,
      account: ids.account,
      data: { object: example },
    },
  };
}
