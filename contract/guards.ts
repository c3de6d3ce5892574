import { type Static, Type } from "typebox";
import { apiTypes } from "./catalog-constants.ts";
import {
  guardActivitySteps,
  guardAnswerBytes,
  guardFallbacks,
  guardReasonLength,
  guardResults,
  guardStages,
  guardStreams,
  guardTimeoutMs,
  heldCharacters,
  maxGuardNames,
} from "./guard-constants.ts";
import { closed, Deleted, NoQuery, Nullable, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";
import { codesOf } from "./sentences.ts";
import { RotateSecret } from "./webhook.ts";
import { endpointUrlMaxLength } from "./webhook-constants.ts";

/*
 * A guard is a program of an owner, or of an operator, that is asked before each run, after it, or both. It gets a
 * signed `GuardQuestion` and returns a `GuardVerdict`.
 */

const Enabled = Type.Boolean({
  description: "whether it is asked; false: its runs go unchecked, and only a test asks it",
});
const Url = Type.String({ minLength: 1, maxLength: endpointUrlMaxLength });
const Stages = Type.Array(Type.Enum(guardStages), {
  minItems: 1,
  uniqueItems: true,
  description:
    "when it is asked; `input` (by default): before a run; `output`: after it, before anybody sees the output",
});
const Streams = Type.Enum(guardStreams, {
  description:
    "how it is asked about a stream's output; `after` (by default): once the stream has ended, and a block ends it with an error; `hold`: each piece is held back until it is allowed",
});
const HoldCharacters = Type.Integer({
  minimum: heldCharacters.min,
  maximum: heldCharacters.max,
  description: `with \`hold\`: the size of a piece; ${heldCharacters.default} by default. The pieces of a long answer grow`,
});
const OnError = Type.Enum(guardFallbacks, {
  description: `what happens to a run when the guard fails, for example without an answer within ${guardTimeoutMs / 1000} seconds: \`block\` refuses it with \`guard_unavailable\`, \`allow\` lets it continue unchecked`,
});
const names = (what: string) =>
  Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: maxGuardNames,
      uniqueItems: true,
      description: `${what}; null: all`,
    }),
  );
const Operations = Nullable(
  Type.Array(Type.Enum(apiTypes), {
    minItems: 1,
    uniqueItems: true,
    description: "the only kinds of operation that it is asked about; null: all",
  }),
);
const Models = names("the only models that it is asked about");
const Keys = names("the ids of the only keys whose runs it is asked about");
const ExceptKeys = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: maxGuardNames,
  uniqueItems: true,
  description:
    "ids of keys whose runs it is not asked about, such as the key with which the guard itself runs models",
});
const GatedContents = Type.Boolean({
  description:
    "whether it gets contents for models that need an attestation. For an account's guard the person who turns this on answers for it, and must have made the attestation; otherwise the guard gets no `input` of these models",
});
const AllowPrivate = Type.Boolean({
  description: "whether the address may be in a private network, or without encryption (http)",
});

export const Guard = Type.Object({
  object: Type.Literal("guard"),
  enabled: Enabled,
  url: Url,
  stages: Stages,
  streams: Streams,
  hold_characters: HoldCharacters,
  on_error: OnError,
  operations: Operations,
  models: Models,
  keys: Keys,
  except_keys: ExceptKeys,
  gated_contents: GatedContents,
  answered_by: Nullable(Type.String({ description: "the person who answers for `gated_contents`" })),
  allow_private: AllowPrivate,
  secret_hint: Type.String({ description: "last four characters of the current secret" }),
  previous_secrets: Type.Array(Type.Object({ hint: Type.String(), expires_at: Timestamp }), {
    description: "earlier secrets that still sign together with the current one",
  }),
  failing_since: Nullable(
    Type.String({
      format: "date-time",
      description: "since when it fails; null: its last answers were valid",
    }),
  ),
  last_error: Nullable(Type.String({ description: "why it failed last" })),
  last_error_codes: codesOf("last_error"),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Guard = Static<typeof Guard>;

export const GuardWithSecret = Type.Interface([Guard], {
  secret: Type.String({ description: "signs its questions; only this answer contains it" }),
});
export type GuardWithSecret = Static<typeof GuardWithSecret>;

const settings = {
  enabled: Type.Optional(Enabled),
  stages: Type.Optional(Stages),
  streams: Type.Optional(Streams),
  hold_characters: Type.Optional(HoldCharacters),
  on_error: Type.Optional(OnError),
  operations: Type.Optional(Operations),
  models: Type.Optional(Models),
  keys: Type.Optional(Keys),
  except_keys: Type.Optional(ExceptKeys),
  gated_contents: Type.Optional(GatedContents),
};
const ofOperator = { allow_private: Type.Optional(AllowPrivate) };

/** Without other fields it is asked about every run, and a run whose guard fails is refused. */
export const GuardCreate = Type.Object({ url: Url, ...settings }, closed);
export const OperatorGuardCreate = Type.Object({ url: Url, ...settings, ...ofOperator }, closed);
export type GuardCreate = Static<typeof OperatorGuardCreate>;

export const GuardUpdate = Type.Object(
  { url: Type.Optional(Url), ...settings },
  { ...closed, minProperties: 1 },
);
export const OperatorGuardUpdate = Type.Object(
  { url: Type.Optional(Url), ...settings, ...ofOperator },
  { ...closed, minProperties: 1 },
);
export type GuardUpdate = Static<typeof OperatorGuardUpdate>;

/** Without a stage it is asked about an input. */
export const GuardTestRequest = Type.Object({ stage: Type.Optional(Type.Enum(guardStages)) }, closed);
export type GuardTestRequest = Static<typeof GuardTestRequest>;

/** The result of one test question. */
export const GuardTest = Type.Object({
  object: Type.Literal("guard_test"),
  result: Type.Enum(guardResults),
  reason: Nullable(Type.String({ description: "why the guard blocked, or why it failed" })),
  reason_codes: codesOf("reason"),
  duration_ms: Type.Number(),
});
export type GuardTest = Static<typeof GuardTest>;

/** What a run made; files are in `files`. */
const GuardOutput = Type.Object(
  {
    text: Nullable(
      Type.String({
        description:
          "all text of the output, such as that of a chat with its reasoning and the arguments of its tool calls, or of a transcription; of a stream that is held back: all text of this answer so far. Several answers of a chat have an empty line between them",
      }),
    ),
    piece: Nullable(
      Type.String({
        description: "of a stream that is held back: the end of `text`, which nobody has seen yet",
      }),
    ),
    choice: Nullable(
      Type.Integer({ description: "the index of the answer to which `piece` belongs; null without a piece" }),
    ),
    is_complete: Type.Boolean({ description: "false: more of this stream can follow" }),
    choices: Nullable(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: "the answers of a complete chat, as in Chat Completions",
      }),
    ),
  },
  { description: "null at `input`, and if the model is gated and the guard gets no contents of these" },
);

/** The body of a question. */
export const GuardQuestion = Type.Object({
  object: Type.Literal("guard_question"),
  id: Type.String({ description: "also in the header `webhook-id`, and part of the signature" }),
  stage: Type.Enum(guardStages),
  test: Type.Boolean({ description: "true when somebody tests the guard: nothing runs" }),
  created_at: Timestamp,
  request_id: Nullable(
    Type.String({ description: "the request in the log; null for work without a request" }),
  ),
  run_id: Nullable(Type.String({ description: "the same at both stages; null in a test" })),
  operation: Type.Enum(apiTypes),
  model: Type.String(),
  alias: Nullable(Type.String({ description: "the alias that the caller named instead of a model" })),
  region: Type.String({ description: "where it runs" }),
  caller: Type.Object({
    account_id: Type.String(),
    key_id: Nullable(Type.String()),
    user_id: Nullable(Type.String()),
  }),
  metadata: Nullable(Type.Record(Type.String(), Type.String())),
  input: Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "the operation's input, with signed addresses instead of files; null at `output`, and if the model is gated and the guard gets no contents of these",
    }),
  ),
  output: Nullable(GuardOutput),
  native: Nullable(
    Type.Object(
      { protocol: Type.String(), body: Nullable(Type.Record(Type.String(), Type.Unknown())) },
      { description: "the body as sent, when a provider may get it in this form instead of `input`" },
    ),
  ),
  files: Type.Array(
    Type.Object({
      path: Type.String({
        description: "JSON pointer into `input`; at `output` the number of the file, as `/0`",
      }),
      url: Type.String({ description: "works until the guard has answered" }),
      kind: Type.String(),
      content_type: Type.String(),
      size_bytes: Type.Integer(),
      sha256: Nullable(Type.String()),
    }),
  ),
});
export type GuardQuestion = Static<typeof GuardQuestion>;

/** What a guard returns, with status 200 and at most 1 MB. */
export const GuardVerdict = Type.Union(
  [
    Type.Object({ action: Type.Literal("allow") }),
    Type.Object({
      action: Type.Literal("block"),
      reason: Type.Optional(
        Type.String({ description: `callers see at most ${guardReasonLength} characters of it` }),
      ),
    }),
    Type.Object({
      action: Type.Literal("replace"),
      input: Type.Record(Type.String(), Type.Unknown(), {
        description: "a whole input of the same operation; the model stays",
      }),
    }),
    Type.Object({
      action: Type.Literal("replace"),
      output: Type.Object(
        { text: Type.String() },
        {
          description:
            "at `output`: other text instead of that of a transcription, or of a chat with one answer and without tool calls. Files are allowed or blocked",
        },
      ),
    }),
  ],
  { description: `at most ${guardAnswerBytes} bytes` },
);
export type GuardVerdict = Static<typeof GuardVerdict>;

/** How often a guard was asked, and what came of it. */
export const GuardActivity = Type.Object({
  object: Type.Literal("list"),
  step: Type.Enum(guardActivitySteps),
  from: Timestamp,
  to: Timestamp,
  data: Type.Array(
    Type.Object({
      at: Timestamp,
      stage: Type.Enum(guardStages),
      allowed: Type.Integer(),
      blocked: Type.Integer(),
      replaced: Type.Integer(),
      failed: Type.Integer(),
    }),
    { description: "sorted by time and stage; a step without questions is left out" },
  ),
});
export type GuardActivity = Static<typeof GuardActivity>;

export const GuardActivityQuery = Type.Object(
  {
    step: Type.Optional(
      Type.Enum(guardActivitySteps, { description: "length of a step (UTC); `hour` by default" }),
    ),
    from: Type.Optional(
      Type.String({
        format: "date-time",
        description: "start of the time range; by default 24 hours or 30 days before `to`",
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: "date-time",
        description: "end of the time range, not included; now by default",
      }),
    ),
  },
  closed,
);
export type GuardActivityQuery = Static<typeof GuardActivityQuery>;

const mayManage = { permission: "account:manage", extension: true } as const;
const byOperator = { operator: true, extension: true } as const;

export const guardRoutes = {
  "GET /account/guard": {
    summary: "Read the account's guard",
    ...mayManage,
    query: NoQuery,
    answers: { 200: Guard },
  },
  "POST /account/guard": {
    summary: "Set a guard that is asked about the account's runs; only this answer contains its secret",
    ...mayManage,
    idempotent: true,
    body: GuardCreate,
    answers: { 201: GuardWithSecret },
    replayed: Guard,
  },
  "PATCH /account/guard": {
    summary: "Change the account's guard",
    ...mayManage,
    byClick: true,
    body: GuardUpdate,
    answers: { 200: Guard },
  },
  "DELETE /account/guard": {
    summary: "Remove the account's guard",
    ...mayManage,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /account/guard/rotate_secret": {
    summary: "Rotate the secret of the account's guard",
    ...mayManage,
    idempotent: true,
    body: Type.Optional(RotateSecret),
    answers: { 200: GuardWithSecret },
    replayed: Guard,
  },
  "POST /account/guard/test": {
    summary: "Ask the account's guard a test question",
    ...mayManage,
    byClick: true,
    body: Type.Optional(GuardTestRequest),
    answers: { 200: GuardTest },
  },
  "GET /account/guard/activity": {
    summary: "How often the account's guard allowed, blocked, replaced and failed, over time",
    ...mayManage,
    query: GuardActivityQuery,
    answers: { 200: GuardActivity },
  },
} as const satisfies Routes;

export const operatorGuardRoutes = {
  "GET /operator/guard": {
    summary: "Read the guard of the installation",
    ...byOperator,
    query: NoQuery,
    answers: { 200: Guard },
  },
  "POST /operator/guard": {
    summary: "Set a guard that is asked about the runs of all accounts; only this answer contains its secret",
    ...byOperator,
    idempotent: true,
    body: OperatorGuardCreate,
    answers: { 201: GuardWithSecret },
    replayed: Guard,
  },
  "PATCH /operator/guard": {
    summary: "Change the guard of the installation",
    ...byOperator,
    byClick: true,
    body: OperatorGuardUpdate,
    answers: { 200: Guard },
  },
  "DELETE /operator/guard": {
    summary: "Remove the guard of the installation",
    ...byOperator,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /operator/guard/rotate_secret": {
    summary: "Rotate the secret of the installation's guard",
    ...byOperator,
    idempotent: true,
    body: Type.Optional(RotateSecret),
    answers: { 200: GuardWithSecret },
    replayed: Guard,
  },
  "POST /operator/guard/test": {
    summary: "Ask the guard of the installation a test question",
    ...byOperator,
    byClick: true,
    body: Type.Optional(GuardTestRequest),
    answers: { 200: GuardTest },
  },
  "GET /operator/guard/activity": {
    summary: "How often the guard of the installation allowed, blocked, replaced and failed, over time",
    ...byOperator,
    query: GuardActivityQuery,
    answers: { 200: GuardActivity },
  },
} as const satisfies Routes;
