import { type Static, Type } from "typebox";
import { passwordMinLength } from "./account-constants.ts";
import { billingUnits, regionNames } from "./catalog-constants.ts";
import { errorCodes } from "./error.ts";
import { closed, ListOf, PageQuery } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";

export const scopes = ["inference", "predictions", "uploads", "webhooks", "usage", "keys"] as const;
export type Scope = (typeof scopes)[number];

export const attestationKinds = ["adult", "portrait_rights"] as const;
export type AttestationKind = (typeof attestationKinds)[number];

export const SetupState = Type.Object({ object: Type.Literal("setup"), needed: Type.Boolean() });
export type SetupState = Static<typeof SetupState>;

/** First start only: `setup_token` is in the link that the terminal printed. */
export const SetupCreate = Type.Object(
  {
    setup_token: Type.String({ minLength: 1, maxLength: 200 }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    email: Type.String({ minLength: 3, maxLength: 254, pattern: "^[^@\\s]+@[^@\\s]+$" }),
    password: Type.String({ minLength: passwordMinLength, maxLength: 200 }),
  },
  closed,
);
export type SetupCreate = Static<typeof SetupCreate>;

export const SessionCreate = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 200 }),
  },
  closed,
);
export type SessionCreate = Static<typeof SessionCreate>;

export const Account = Type.Object({
  id: Type.String(),
  object: Type.Literal("account"),
  name: Type.String(),
  created_at: Timestamp,
  /** Null when the caller is an account key. */
  user: Nullable(Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() })),
  key: Nullable(Type.Object({ id: Type.String(), name: Type.String(), scopes: Type.Array(Type.String()) })),
});
export type Account = Static<typeof Account>;

/** How long rows are kept after their data; null for ever. */
export const History = Type.Object({
  object: Type.Literal("history"),
  days: Nullable(Type.Integer()),
  audit_days: Nullable(Type.Integer()),
  size_bytes: Type.Integer({ description: "what it takes up in the database, for all accounts" }),
});
export type History = Static<typeof History>;

/** `token` is the bearer of a signed-in user; only this answer shows it. */
export const Session = Type.Object({
  id: Type.String(),
  object: Type.Literal("session"),
  token: Type.String(),
  expires_at: Timestamp,
  account: Account,
});
export type Session = Static<typeof Session>;

export const Attestation = Type.Object({
  id: Type.String(),
  object: Type.Literal("attestation"),
  kind: Type.Enum(attestationKinds),
  statement_version: Type.String(),
  statement: Type.String(),
  user_id: Type.String(),
  user_name: Type.String(),
  ip: Nullable(Type.String()),
  created_at: Timestamp,
  revoked_at: Nullable(Timestamp),
});
export type Attestation = Static<typeof Attestation>;

export const AttestationStatement = Type.Object({
  kind: Type.Enum(attestationKinds),
  version: Type.String(),
  title: Type.String(),
  statement: Type.String({ description: "the exact text that the user confirms" }),
  active: Type.Boolean(),
});
export type AttestationStatement = Static<typeof AttestationStatement>;

/** `statements`: the current statements and whether each is attested; `data`: the history, newest first. */
export const AttestationList = Type.Interface([ListOf(Attestation)], {
  statements: Type.Array(AttestationStatement),
});
export type AttestationList = Static<typeof AttestationList>;

/** `statement_version` must be the current one: the user confirms the text that was shown. */
export const AttestationCreate = Type.Object(
  {
    kind: Type.Enum(attestationKinds),
    statement_version: Type.String(),
    confirmed: Type.Literal(true),
  },
  closed,
);
export type AttestationCreate = Static<typeof AttestationCreate>;

const unitNames = Type.Enum(billingUnits);

/** Quantities by billing unit; a missing unit means 0. */
export const Quantities = Type.Partial(Type.Record(unitNames, Type.Number()));
export type Quantities = Static<typeof Quantities>;

export const largestBudget = 1_000_000_000_000_000;

/**
 * How much of each unit a key may use in a calendar month (UTC); missing units are not limited. A run
 * reserves what it may use when it is admitted; one beyond the budget is refused with `budget_exceeded`.
 */
export const MonthlyBudget = Type.Partial(
  Type.Record(unitNames, Type.Number({ exclusiveMinimum: 0, maximum: largestBudget })),
  { additionalProperties: false, minProperties: 1 },
);
export type MonthlyBudget = Static<typeof MonthlyBudget>;

export const ApiKey = Type.Object({
  id: Type.String(),
  object: Type.Literal("api_key"),
  name: Type.String(),
  hint: Type.String({ description: "`svc_live_ab12…wxyz`" }),
  scopes: Type.Array(Type.Enum(scopes)),
  models: Nullable(Type.Array(Type.String())),
  regions: Nullable(Type.Array(Type.String())),
  requests_per_minute: Nullable(Type.Integer()),
  max_concurrency: Nullable(Type.Integer()),
  monthly_budget: Nullable(MonthlyBudget),
  /** Usage of the units of its budget since the first of this month (UTC). */
  used_this_month: Quantities,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyWithSecret = Type.Interface([ApiKey], { secret: Type.String() });
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>;

export const ApiKeyCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Optional(
      Type.Array(Type.Enum(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
    ),
    models: Type.Optional(Nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 100 }))),
    regions: Type.Optional(Nullable(Type.Array(Type.Enum(regionNames), { minItems: 1, maxItems: 10 }))),
    requests_per_minute: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000 }))),
    max_concurrency: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10_000 }))),
    monthly_budget: Type.Optional(Nullable(MonthlyBudget)),
    expires_at: Type.Optional(Nullable(Timestamp)),
  },
  closed,
);
export type ApiKeyCreate = Static<typeof ApiKeyCreate>;

/** `monthly_budget` null removes the budget. A key's first budget takes effect within a second, a change at once. */
export const ApiKeyUpdate = Type.Object({ monthly_budget: Nullable(MonthlyBudget) }, closed);
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>;

export const ApiKeyRotate = Type.Object(
  {
    grace_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 604_800, default: 0 })),
  },
  closed,
);
export type ApiKeyRotate = Static<typeof ApiKeyRotate>;

export const ApiKeyList = ListOf(ApiKey);

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

export const UsageQuery = Type.Object(
  {
    from: Type.Optional(Day),
    to: Type.Optional(Day),
    model: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
  },
  closed,
);

export const UsageRow = Type.Object({
  day: Type.String({ description: "UTC date" }),
  model: Type.String(),
  unit: Type.String(),
  key_id: Nullable(Type.String()),
  quantity: Type.Number(),
  requests: Type.Integer(),
});
export type UsageRow = Static<typeof UsageRow>;
export const UsageList = Type.Object({ object: Type.Literal("list"), data: Type.Array(UsageRow) });
export type UsageList = Static<typeof UsageList>;

export const RequestRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("request"),
  at: Timestamp,
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  model: Nullable(Type.String()),
  region: Nullable(Type.String()),
  key_id: Nullable(Type.String()),
  duration_ms: Type.Number({ description: "Of several requests the average" }),
  count: Type.Integer({
    description:
      "1; requests that a rate or concurrency limit rejected are one row per key, route and minute, with their number",
  }),
  usage: Nullable(
    Type.Object(
      { unit: Type.String(), quantity: Type.Number() },
      { description: "What a sync operation used, also when its stream broke or its client left" },
    ),
  ),
});
export type RequestRow = Static<typeof RequestRow>;
export const RequestQuery = Type.Interface(
  [PageQuery],
  {
    status: Type.Optional(Type.Integer({ minimum: 0, maximum: 599 })),
    status_class: Type.Optional(Type.Enum(["2xx", "3xx", "4xx", "5xx"])),
    code: Type.Optional(Type.Enum(errorCodes)),
    route: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Part of the route, e.g. `/v1/predictions`, in any case",
      }),
    ),
    model: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
    actor: Type.Optional(
      Type.Enum(["key", "user"], {
        description:
          "Only requests of programs with a key, or only those of signed-in people, for whom the console makes many.",
      }),
    ),
    console_reads: Type.Optional(
      Type.Boolean({ description: "`false` leaves out what the console reads for people who are signed in" }),
    ),
    created_after: Type.Optional(Timestamp),
    created_before: Type.Optional(Timestamp),
  },
  closed,
);
export type RequestQuery = Static<typeof RequestQuery>;
export const RequestList = ListOf(RequestRow);

export const auditActions = [
  "account.created",
  "session.created",
  "attestation.created",
  "attestation.withdrawn",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "webhook_endpoint.created",
  "webhook_endpoint.updated",
  "webhook_endpoint.deleted",
  "webhook_endpoint.secret_rotated",
  "webhook_endpoint.tested",
  "webhook_endpoint.auto_disabled",
  "webhook_delivery.retried",
  "webhook_deliveries.retried",
  "prediction.canceled",
  "upload.deleted",
] as const;
export type AuditAction = (typeof auditActions)[number];

export const AuditQuery = Type.Interface(
  [PageQuery],
  { action: Type.Optional(Type.Enum(auditActions)) },
  closed,
);
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("audit_log"),
  at: Timestamp,
  action: Type.String({ description: "e.g. `webhook_endpoint.created`" }),
  actor: Type.Object({
    type: Type.Enum(["user", "key", "system", "operator"]),
    id: Nullable(Type.String()),
    name: Type.String(),
  }),
  target_id: Nullable(Type.String()),
  detail: Nullable(Type.Record(Type.String(), Type.Unknown())),
  ip: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
});
export type AuditRow = Static<typeof AuditRow>;
export const AuditList = ListOf(AuditRow);
