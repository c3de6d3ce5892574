import type { FastifyRequest } from "fastify";
import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import { parsed, recordOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { sendInner } from "#gateway/platform/http/inner-request.ts";

/** The caller of the tools, with access to the API. */
export interface Caller {
  context: EdgesContext;
  actor: Actor;
  /** Aborts when the agent has left; then none of its calls continues. */
  left: AbortSignal;
  /** Whether a call may have begun something: then an error does not invite to a retry. */
  mayHaveBegun: boolean;
  /** Shows an error of a tool itself in the request log. Errors of the API have rows of their own there. */
  failed(error: ApiError, asked: unknown): void;
  /** Sends a request to the gateway's API, where all checks apply. Throws the API's error. */
  ask(method: "GET" | "POST", path: string, options?: AskOptions): Promise<Record<string, unknown>>;
}

interface AskOptions {
  body?: object;
  headers?: Record<string, string>;
}

/**
 * Every tool call goes through the API with the caller's own key, so a tool can do no more than its caller.
 */
export function callerOf(
  app: App,
  context: EdgesContext,
  request: FastifyRequest,
  left: AbortSignal,
): Caller {
  const caller: Caller = {
    context,
    actor: request.caller.actor,
    left,
    mayHaveBegun: false,
    failed(error, asked) {
      if (error instanceof AnsweredError) return;
      request.failure = error;
      request.operationAsked = asked;
    },
    async ask(method, path, { body, headers } = {}) {
      caller.mayHaveBegun ||= method === "POST";
      const answer = await sendInner(app, request, {
        method,
        url: `/v1${path}`,
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
        ...(body && { payload: JSON.stringify(body) }),
        left,
      });
      const answered = recordOf(parsed(answer.body));
      if (answer.statusCode >= 400) throw errorIn(recordOf(answered.error));
      const ignored = answer.headers["x-svc-ignored-params"];
      return { ...answered, ...(ignored !== undefined && { ignored_params: ignored }) };
    },
  };
  return caller;
}

/** An error that the API answered to a tool. */
class AnsweredError extends ApiError {}

function errorIn({ code, message, param }: Record<string, unknown>): AnsweredError {
  const known = typeof code === "string" && Object.hasOwn(errorCatalogue, code) ? code : "internal_error";
  return new AnsweredError(known as ErrorCode, textOf(message) ?? "Something failed on our side.", {
    param: textOf(param),
  });
}
