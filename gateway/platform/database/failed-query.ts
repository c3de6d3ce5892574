import { stdSerializers } from "pino";
import { errorCatalogue } from "#contract/error.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";

/**
 * An error's message for people and logs. For a failed query it is the message of the cause, because the
 * query's own message contains its parameters.
 */
export function messageWithoutParameters(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isFailedQuery(error)) return error.message;
  return error.cause instanceof Error ? error.cause.message : "A query failed.";
}

/**
 * Pino's serializer of `err`: for a failed query, also as a cause, only the database's message, its code and
 * the stack. A refusal by an upstream or the gateway is an ordinary event: it has no stack, and no message if
 * that may quote a person's input.
 */
export function serializeError(error: Error): unknown {
  if (error instanceof ProviderError) return { ...refused(error), started: error.started };
  if (error instanceof ApiError && error.status < 500) return refused(error);
  return stdSerializers.err(withoutParameters(error));
}

function refused(error: ProviderError | ApiError) {
  const { code, cause } = error;
  const quotesInput = errorCatalogue[code].status < 500;
  return {
    type: error.constructor.name,
    code,
    ...(!quotesInput && { message: error.message }),
    ...(!quotesInput && cause instanceof Error && { cause: messageWithoutParameters(cause) }),
  };
}

function withoutParameters(error: Error): Error {
  if (!(error instanceof Error)) return error;
  if (isFailedQuery(error)) return bare(error);
  if (!(error.cause instanceof Error)) return error;
  const cause = withoutParameters(error.cause);
  return cause === error.cause ? error : Object.create(error, { cause: { value: cause } });
}

function bare(error: Error): Error {
  const message = messageWithoutParameters(error);
  const plain: Error & { code?: unknown } = new Error(message);
  const frames = error.stack?.split(error.message).at(-1) ?? "";
  plain.stack = `Error: ${message}${error.stack?.includes(error.message) ? frames : ""}`;
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return code === undefined ? plain : Object.assign(plain, { code });
}

function isFailedQuery(error: Error): boolean {
  return error.message.startsWith("Failed query");
}
