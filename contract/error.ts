import { type Static, Type } from "typebox";
import { roles } from "./accounts/constants.ts";
import { secondFactorWays } from "./accounts/second-factor.ts";
import { Nullable, Timestamp } from "./list.ts";
import { balanceHolders, budgetPeriods } from "./money/budget-constants.ts";
import { type ConflictCode, described, type NotFoundCode } from "./resources.ts";

/** The 404 error codes, each about one kind of resource. */
const notFoundErrors = Object.fromEntries(
  described().flatMap(([, { notFound = [] }]) =>
    notFound.map((code) => [code, { status: 404, type: "not_found_error" }]),
  ),
) as Record<NotFoundCode, { readonly status: 404; readonly type: "not_found_error" }>;

/** The 409 error codes, each about one kind of resource. */
const conflictErrors = Object.fromEntries(
  described().flatMap(([, { conflicts = [] }]) =>
    conflicts.map((code) => [code, { status: 409, type: "conflict_error" }]),
  ),
) as Record<ConflictCode, { readonly status: 409; readonly type: "conflict_error" }>;

/**
 * Every error code with its HTTP status and type. The console decides by the code, never by the message.
 * Rules: docs/requests.md, "Errors".
 */
export const errorCatalogue = {
  malformed_request: { status: 400, type: "invalid_request_error" },
  invalid_json: { status: 400, type: "invalid_request_error" },
  invalid_parameter: { status: 400, type: "invalid_request_error" },
  missing_parameter: { status: 400, type: "invalid_request_error" },
  operation_not_supported: { status: 400, type: "invalid_request_error" },
  region_not_available: { status: 400, type: "invalid_request_error" },
  provider_not_available: { status: 400, type: "invalid_request_error" },
  invalid_schema: { status: 400, type: "invalid_request_error" },
  invalid_webhook_url: { status: 400, type: "invalid_request_error" },
  invalid_destination: { status: 400, type: "invalid_request_error" },
  unsupported_content_type: { status: 400, type: "invalid_request_error" },
  upload_too_large: { status: 400, type: "invalid_request_error" },
  upload_not_usable: { status: 400, type: "invalid_request_error" },
  media_fetch_failed: { status: 400, type: "invalid_request_error" },
  /** One request needs more tokens than its caller may use in a whole minute, so a retry does not help. */
  request_over_token_limit: { status: 400, type: "invalid_request_error" },
  input_too_large: { status: 400, type: "invalid_request_error" },
  invalid_cursor: { status: 400, type: "invalid_request_error" },
  account_required: { status: 400, type: "invalid_request_error" },
  private_address_not_allowed: { status: 400, type: "invalid_request_error" },
  password_too_common: { status: 400, type: "invalid_request_error" },
  /** A guard of the account or the installation does not allow the run. */
  content_blocked: { status: 400, type: "content_policy_error" },
  invalid_client: { status: 400, type: "invalid_request_error" },
  logout_token_invalid: { status: 400, type: "invalid_request_error" },
  missing_api_key: { status: 401, type: "authentication_error" },
  invalid_api_key: { status: 401, type: "authentication_error" },
  expired_api_key: { status: 401, type: "authentication_error" },
  revoked_api_key: { status: 401, type: "authentication_error" },
  second_factor_required: { status: 401, type: "authentication_error" },
  invalid_credentials: { status: 401, type: "authentication_error" },
  invalid_second_factor: { status: 401, type: "authentication_error" },
  provider_sign_in_failed: { status: 401, type: "authentication_error" },
  budget_exceeded: { status: 402, type: "billing_error" },
  /** A hard budget in money applies, but the model has no price. */
  not_priced: { status: 402, type: "billing_error" },
  role_not_allowed: { status: 403, type: "permission_error" },
  account_closing: { status: 403, type: "permission_error" },
  account_suspended: { status: 403, type: "permission_error" },
  operator_required: { status: 403, type: "permission_error" },
  provider_sign_in_required: { status: 403, type: "permission_error" },
  provider_sign_in_refused: { status: 403, type: "permission_error" },
  insufficient_scope: { status: 403, type: "permission_error" },
  confirmation_required: { status: 403, type: "permission_error" },
  user_session_required: { status: 403, type: "permission_error" },
  model_not_allowed: { status: 403, type: "permission_error" },
  region_not_allowed: { status: 403, type: "permission_error" },
  origin_not_allowed: { status: 403, type: "permission_error" },
  network_not_allowed: { status: 403, type: "permission_error" },
  adult_attestation_required: { status: 403, type: "permission_error" },
  portrait_rights_attestation_required: { status: 403, type: "permission_error" },
  person_rights_confirmation_required: { status: 403, type: "permission_error" },
  sharing_off: { status: 403, type: "permission_error" },
  gated_outputs_not_shared: { status: 403, type: "permission_error" },
  file_barred: { status: 403, type: "permission_error" },
  keeping_off: { status: 403, type: "permission_error" },
  shorter_retention: { status: 403, type: "permission_error" },
  signature_invalid: { status: 403, type: "permission_error" },
  signature_expired: { status: 403, type: "permission_error" },
  note_not_yours: { status: 403, type: "permission_error" },
  invitation_not_for_you: { status: 403, type: "permission_error" },
  setup_not_allowed: { status: 403, type: "permission_error" },
  ...notFoundErrors,
  mail_not_configured: { status: 404, type: "not_found_error" },
  voice_not_found: { status: 404, type: "not_found_error" },
  route_not_found: { status: 404, type: "not_found_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  upgrade_required: { status: 426, type: "invalid_request_error" },
  request_timeout: { status: 408, type: "invalid_request_error" },
  ...conflictErrors,
  idempotency_in_progress: { status: 409, type: "conflict_error" },
  receipt_not_available: { status: 409, type: "conflict_error" },
  too_many_secrets: { status: 409, type: "conflict_error" },
  last_operator: { status: 409, type: "conflict_error" },
  retention_removes_kept: { status: 409, type: "conflict_error" },
  managed_by_file: { status: 409, type: "conflict_error" },
  email_taken: { status: 409, type: "conflict_error" },
  invitation_used: { status: 410, type: "gone_error" },
  invitation_expired: { status: 410, type: "gone_error" },
  email_change_used: { status: 410, type: "gone_error" },
  email_change_expired: { status: 410, type: "gone_error" },
  reset_used: { status: 410, type: "gone_error" },
  sign_in_expired: { status: 410, type: "gone_error" },
  reset_expired: { status: 410, type: "gone_error" },
  batch_expired: { status: 410, type: "gone_error" },
  payload_purged: { status: 410, type: "gone_error" },
  request_too_large: { status: 413, type: "invalid_request_error" },
  storage_limit_exceeded: { status: 413, type: "invalid_request_error" },
  tus_version_not_supported: { status: 412, type: "invalid_request_error" },
  unsupported_media_type: { status: 415, type: "invalid_request_error" },
  expectation_failed: { status: 417, type: "invalid_request_error" },
  idempotency_key_reused: { status: 422, type: "idempotency_error" },
  content_policy_violation: { status: 422, type: "content_policy_error" },
  upload_locked: { status: 423, type: "conflict_error" },
  rate_limit_exceeded: { status: 429, type: "rate_limit_error" },
  concurrency_limit_exceeded: { status: 429, type: "rate_limit_error" },
  upstream_rate_limited: { status: 429, type: "rate_limit_error" },
  headers_too_large: { status: 431, type: "invalid_request_error" },
  internal_error: { status: 500, type: "api_error" },
  provider_test_failed: { status: 502, type: "upstream_error" },
  upstream_error: { status: 502, type: "upstream_error" },
  upstream_invalid_response: { status: 502, type: "upstream_error" },
  upstream_stream_interrupted: { status: 502, type: "upstream_error" },
  upstream_outcome_unknown: { status: 502, type: "upstream_error" },
  no_healthy_region: { status: 503, type: "upstream_error" },
  service_unavailable: { status: 503, type: "upstream_error" },
  /** A guard failed, and its owner chose that runs are then refused. */
  guard_unavailable: { status: 503, type: "upstream_error" },
  upstream_timeout: { status: 504, type: "upstream_error" },
} as const satisfies Record<string, { status: number; type: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
/** The error codes as a list, for filters. */
export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

export const ErrorDetail = Type.Object({
  path: Type.String({ description: "JSON pointer into the request body, e.g. `/duration`" }),
  keyword: Type.String(),
  message: Type.String(),
  role: Type.Optional(
    Type.Enum(roles, { description: "for `role_not_allowed`: a role that has the permission" }),
  ),
  members: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: "some members with this role",
    }),
  ),
});
export type ErrorDetail = Static<typeof ErrorDetail>;

/** How to continue a sign-in after a correct password. */
export const SecondFactorAsked = Type.Object({
  ticket: Type.String(),
  expires_at: Timestamp,
  ways: Type.Array(Type.Enum(secondFactorWays)),
});
export type SecondFactorAsked = Static<typeof SecondFactorAsked>;

/** Details of a 402 for programs. */
export const budgetRefusal = {
  budget: Type.Optional(
    Type.Object(
      {
        holder: Type.Object({ type: Type.Enum(balanceHolders), id: Type.String() }),
        prepaid: Type.Boolean({ description: "true when the credit of a prepaid account is used up" }),
        amount: Nullable(
          Type.String({ description: "period of the budget; null: the limit is the account's credit" }),
        ),
        unit: Type.String({ description: "currency of a budget in money, otherwise a billing unit" }),
        period: Type.Enum(budgetPeriods),
      },
      { description: "for a 402: the budget that has too little left" },
    ),
  ),
  left: Type.Optional(
    Type.String({
      description: "for a 402: the rest of the budget that is neither spent nor reserved; may be negative",
    }),
  ),
  resets_at: Type.Optional(Nullable(Timestamp)),
  task: Type.Optional(
    Type.Object(
      {
        metadata_key: Type.String(),
        value: Type.String(),
        spent: Type.String(),
        limit: Nullable(
          Type.String({
            description: "limit of the task in money; null: only the number of its runs is limited",
          }),
        ),
        currency: Type.String(),
        runs: Type.Integer(),
        max_runs: Nullable(Type.Integer()),
        ended: Type.Boolean({ description: "true when somebody ended the task by hand" }),
      },
      { description: "for a 402: the task that has too little left of its cap" },
    ),
  ),
};
const BudgetRefusal = Type.Object(budgetRefusal);
type Refusal = Static<typeof BudgetRefusal>;
export type BudgetRefusal = Required<Omit<Refusal, "task">> & Pick<Refusal, "task">;

export const ErrorBody = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String(),
    code: Type.String(),
    param: Type.Union([Type.String(), Type.Null()]),
    request_id: Type.Union([Type.String(), Type.Null()]),
    details: Type.Optional(Type.Array(ErrorDetail)),
    second_factor: Type.Optional(SecondFactorAsked),
    ...budgetRefusal,
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
