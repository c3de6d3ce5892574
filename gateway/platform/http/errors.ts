import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { byName } from "#contract/by-name.ts";
import type { ErrorBody } from "#contract/error.ts";
import type { MessageError } from "#contract/messages.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import {
  hasChangedNothing,
  isDatabaseFailure,
  isDatabaseFull,
  isDatabaseUnavailable,
} from "#gateway/platform/database/failed-query.ts";
import type { App } from "./app.ts";
import { validationError } from "./validation.ts";

/** Codes with a temporary cause: the client may retry the same request, unless something may have run. */
const transientCodes = new Set([
  "no_healthy_region",
  "service_unavailable",
  "guard_unavailable",
  "request_timeout",
  "idempotency_in_progress",
  "upload_locked",
  "rate_limit_exceeded",
  "concurrency_limit_exceeded",
  "upstream_rate_limited",
]);

/** When to try again after the database was unavailable. */
export const databaseRetrySeconds = 2;

const retryAfterBoundsSeconds = { min: 1, max: 60 };

/** The state of the database, known without asking it. */
type Outage = Pick<Database, "diskFullSince" | "silentSince">;

/**
 * Converts any thrown value to an ApiError; unexpected errors become `internal_error` without their message.
 * `database`: on a full disk PostgreSQL also stops answering, or does not start, and then no error says why.
 * `mayHaveBegun`: the request may have run, so the error does not invite to a retry.
 */
export function toApiError(error: unknown, database?: Outage, mayHaveBegun = false): ApiError {
  if (error instanceof ApiError) return error;
  const known = error as Partial<FastifyError> | null;
  if (known?.validation) return validationError(known.validation, known.validationContext);
  switch (known?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
    case "FST_REQ_FILE_TOO_LARGE":
      return new ApiError(
        "request_too_large",
        "The request body is larger than this operation accepts. Send a smaller one.",
      );
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ApiError("unsupported_media_type", "Send `Content-Type: application/json`.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ApiError(
        "malformed_request",
        "The body is shorter than its `Content-Length`. Send all of it, or correct the header.",
      );
    default:
      break;
  }
  if (isDatabaseFailure(error)) {
    const [message, advice] = databaseFailure(error, database);
    return new ApiError(
      "service_unavailable",
      `${message} ${mayHaveBegun ? "The request may have run." : advice}`,
      { retryAfterSeconds: databaseRetrySeconds, cause: error },
    );
  }
  if (known?.statusCode && known.statusCode >= 400 && known.statusCode < 500)
    return new ApiError(
      "invalid_parameter",
      known.message ?? "The request cannot be parsed. Check its headers and its body.",
    );
  return new ApiError(
    "internal_error",
    "Something failed on our side. Quote the request id when you report it.",
    { cause: error },
  );
}

/** What failed, and when to try again. */
function databaseFailure(error: unknown, database?: Outage): [string, string] {
  if (!isDatabaseUnavailable(error))
    return [
      "The database took too long for this request and canceled it.",
      "Try again soon, or request less at once.",
    ];
  return isDatabaseFull(error) || database?.diskFullSince
    ? [
        `The disk of the gateway's database is full${since(database?.diskFullSince)}, so nothing can be saved now.`,
        "Try again when its operator has made room.",
      ]
    : [`The gateway's database is unavailable${since(database?.silentSince)}.`, "Try again soon."];
}

function since(time: Date | null | undefined): string {
  return time ? ` (since ${time.toISOString().replace(/\.\d+/, "")})` : "";
}

/**
 * The headers of an error, which make unmodified clients retry only if that is safe and may succeed. An error
 * never has both a `Retry-After` and `x-should-retry: false`, which says that the work may have begun or would
 * fail again.
 */
export function errorHeaders(error: ApiError, mayHaveBegun = false): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers["www-authenticate"] = "Bearer";
  if (mayHaveBegun || !transientCodes.has(error.code)) return { ...headers, "x-should-retry": "false" };
  const seconds = error.retryAfterSeconds ?? (error.status === 429 || error.status === 503 ? 1 : undefined);
  if (seconds !== undefined) {
    const { min, max } = retryAfterBoundsSeconds;
    headers["retry-after"] = String(Math.min(max, Math.max(min, Math.ceil(seconds))));
  }
  return headers;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, database?: Outage): void {
  // An ApiError is the handler's own answer, which knows what was written.
  const isUnknown = !(error instanceof ApiError) && !hasChangedNothing(error);
  const mayHaveBegun = (request.mayHaveWritten && isUnknown) || request.operationTrace?.mayHaveRun === true;
  const apiError = toApiError(error, database, mayHaveBegun);
  // Once the client has disconnected, its aborted run fails too. That is no error of the gateway.
  if (apiError.status >= 500) {
    const isExpected = error instanceof ApiError && error.code !== "internal_error";
    request.log[reply.raw.destroyed ? "info" : isExpected ? "warn" : "error"](
      { err: error },
      "request failed",
    );
  }
  request.failure = apiError;
  if (reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  const body = apiError.body(request.id);
  reply
    .code(apiError.status)
    .headers(errorHeaders(apiError, mayHaveBegun))
    .send(isOfAnthropic(request) ? anthropicError(body.error, apiError.status) : body);
}

/** Unknown paths below Anthropic's are also asked by its clients. */
export function isOfAnthropic({ routeOptions, url }: FastifyRequest): boolean {
  return routeOptions.config?.errors === "anthropic" || /^\/v1\/messages(?=[/?]|$)/.test(url);
}

/**
 * Maps the gateway's error types to Anthropic's. Conflicts and deleted resources count as invalid requests
 * there.
 */
const anthropicTypes = byName<string>({
  invalid_request_error: "invalid_request_error",
  authentication_error: "authentication_error",
  permission_error: "permission_error",
  not_found_error: "not_found_error",
  billing_error: "billing_error",
  rate_limit_error: "rate_limit_error",
  conflict_error: "invalid_request_error",
  gone_error: "invalid_request_error",
  idempotency_error: "invalid_request_error",
  content_policy_error: "invalid_request_error",
});

const anthropicTypeByStatus: Record<number, string> = { 413: "request_too_large", 503: "overloaded_error" };

/** An error in Anthropic's format, with the gateway's own code added. */
export function anthropicError(
  { type, request_id, second_factor: _, ...error }: ErrorBody["error"],
  status?: number,
): Static<typeof MessageError> {
  const named =
    (status !== undefined && anthropicTypeByStatus[status]) || anthropicTypes[type] || "api_error";
  return { type: "error", error: { type: named, ...error }, request_id };
}

/** Gives every error the same body, including 404 and 405. */
export function installErrors(app: App, { database }: Pick<PlatformContext, "database">): void {
  app.decorateRequest("failure", null);
  app.decorateRequest("mayHaveWritten", false);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, database));
  const apiRoots = new Set<string>();
  app.addHook("onRoute", ({ url }) => {
    if (url.startsWith(apiPrefix)) apiRoots.add(rootOf(url.slice(apiPrefix.length)));
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "/";
    const allowed = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).filter(
      (method) => method !== request.method && app.findRoute({ url: path, method }) !== null,
    );
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      return sendError(
        new ApiError(
          "method_not_allowed",
          `${request.method} is not available here; use ${allowed.join(" or ")}.`,
        ),
        request,
        reply,
      );
    }
    return sendError(
      new ApiError(
        "route_not_found",
        `There is no ${request.method} ${path}.${apiRoots.has(rootOf(path)) ? ` The API is below ${apiPrefix}: try ${apiPrefix}${path}.` : hintFor(path)}`,
      ),
      request,
      reply,
    );
  });
}

const apiPrefix = "/v1";

/** The first segment of a path: `models` for `/models/svc/chat-1`. */
function rootOf(path: string): string {
  return path.split("/", 2)[1] ?? "";
}

declare module "fastify" {
  interface FastifyRequest {
    /** The error in the answer or stream, for the request log. */
    failure: Pick<ApiError, "code" | "message" | "param"> | null;
    /** Set before a write that must not happen twice. */
    mayHaveWritten: boolean;
  }
}

/** The beginnings of paths that clients of other services try, with what to use instead. */
const instead = byName<string>({
  "/v1/completions": "Send the text as a message to POST /v1/chat/completions.",
  "/v1/messages/batches": "POST /v1/batches runs a file of requests, or a table of inputs.",
  "/v1/messages": "POST /v1/messages and POST /v1/messages/count_tokens are what is supported.",
  "/v1/complete": "Send the text as a message to POST /v1/messages.",
  "/v1/realtime":
    "Realtime speech is not supported: POST /v1/audio/speech and /v1/audio/transcriptions process one recording at a time.",
  "/v1/assistants": "POST /v1/responses keeps a conversation.",
  "/v1/threads": "POST /v1/responses keeps a conversation.",
  "/v1/conversations": "POST /v1/responses continues from previous_response_id.",
  "/v1/images/variations": "POST /v1/images/edits changes a picture.",
  "/v1/audio/translations": "POST /v1/audio/transcriptions returns the words of a recording as text.",
  "/sse": "MCP is at POST /mcp, as streamable HTTP.",
  "/v1/mcp": "MCP is at POST /mcp, without /v1.",
  "/v1/moderations": "Moderation is not supported.",
  "/v1/fine_tuning": "Training models is not supported.",
  "/api/chat": "Set the base URL to end in /v1: POST /v1/chat/completions.",
  "/api/generate": "Set the base URL to end in /v1: POST /v1/chat/completions.",
});

/** Only this many path segments are checked. */
const deepest = 4;

/** What to use instead of an unknown path, with a leading space; empty if there is no hint. */
function hintFor(path: string): string {
  const names = path.split("/", deepest);
  for (let count = names.length; count > 1; count -= 1) {
    const hint = instead[names.slice(0, count).join("/")];
    if (hint) return ` ${hint}`;
  }
  return "";
}

/** The error for an unreadable part: malformed, unless the disk failed. */
export function multipartFailure(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || "syscall" in error) return error;
  return new ApiError("malformed_request", `The multipart body cannot be read: ${error.message}.`, {
    cause: error,
  });
}
