import { type LogFn, type Logger, stdSerializers } from "pino";
import { errorCatalogue } from "#contract/error.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { diskFullState } from "./connection.ts";

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
  if (error instanceof ApiError && error.code !== "internal_error") return refused(error);
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

interface Failure {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

/**
 * PostgreSQL's states for a server that stops, starts, closed the connection, has none left (53300), has a
 * full disk (53100) or became a stand-by (25006), and for a transaction that lost a conflict (40001, 40P01):
 * nothing was changed.
 */
const awayStates = /^(08\w{3}|57P0[123]|25006|40001|40P01|53100|53300)$/;

/** The states in which the server has not begun the query, or has undone it. */
const unchangedCauses =
  /^(57P0[123]|25006|40001|40P01|53100|53300|Connection terminated: the server is a stand-by)$/;

/** The messages of `pg` errors that have no code. */
const awayMessages =
  /^(Connection terminated(: the server is a stand-by)?|timeout exceeded when trying to connect|Client has encountered|Client was closed|No answer from the database)/;

/**
 * Socket errors. A client's socket fails with the same codes, so they count only as the cause of a failed
 * query, or of a failed start.
 */
const brokenSocket = /^(ECONNRESET|EPIPE|ETIMEDOUT)$/;

const ofDatabase = /^(Failed query|The database of DATABASE_URL|the database cannot be brought up)/;

const maxCauses = 5;

/** Whether a query failed because the database is unavailable, so that a later retry can succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causeOf(error) !== null;
}

/**
 * Whether a query certainly changed nothing: the server refused it, was no primary, or was never reached. After a lost connection
 * nobody knows.
 */
export function hasChangedNothing(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause === null || isUnreachable(error)) return cause !== null;
  return unchangedCauses.test(cause);
}

/** Whether no server was at the database's address. */
export function isUnreachable(error: unknown): boolean {
  const { syscall, message, cause } = (error ?? {}) as Failure;
  if (syscall === "connect" || String(message).startsWith("timeout exceeded when trying to connect"))
    return true;
  return cause !== undefined && isUnreachable(cause);
}

/** The state, message or call that shows that the database is unavailable; null if it is available. */
function causeOf(error: unknown): string | null {
  let at = error as Failure | null | undefined;
  let isQuery = false;
  for (let depth = 0; at && depth < maxCauses; depth += 1, at = at.cause as Failure | undefined) {
    const code = String(at.code);
    const message = awayMessages.exec(String(at.message));
    if (message) return message[0];
    if (awayStates.test(code) || at.syscall === "connect") return code;
    if (isQuery && brokenSocket.test(code)) return code;
    isQuery ||= ofDatabase.test(String(at.message));
  }
  return null;
}

/** While the database is unavailable, at most one line per cause is logged in this time. */
const tellEveryMs = 600_000;

/**
 * A hook of pino. While the database is unavailable, everything that needs it fails and logs the failure
 * again and again. Logs only the first of these lines, and ten minutes later how many of its cause were left
 * out.
 */
export function logOutageOnce(): (this: Logger, words: Parameters<LogFn>, log: LogFn) => void {
  /** How many lines were left out, by cause. */
  const told = new Map<string, number>();
  return function (words, log) {
    const [detail] = words as unknown[] as [{ err?: unknown } | undefined];
    const cause = causeOf(detail?.err);
    if (cause === null) return log.apply(this, words);
    const leftOut = told.get(cause);
    if (leftOut !== undefined) {
      told.set(cause, leftOut + 1);
      return;
    }
    const sum = (): void => {
      const count = told.get(cause);
      told.delete(cause);
      if (!count) return;
      wait();
      log.apply(this, [{ cause, leftOut: count }, "the database failed again: lines were left out"]);
    };
    const wait = () => {
      told.set(cause, 0);
      setTimeout(sum, tellEveryMs).unref();
    };
    wait();
    log.apply(this, words);
  };
}

/** Whether a query failed because the database's disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  let at = error as Failure | null | undefined;
  for (let depth = 0; at && depth < maxCauses; depth += 1, at = at.cause as Failure | undefined)
    if (at.code === diskFullState) return true;
  return false;
}

/** PostgreSQL's state for a canceled statement, such as by `statement_timeout`. */
const canceledState = "57014";

/** Whether a query failed because it exceeded its time limit. */
export function isOutOfTime(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === canceledState || (cause !== undefined && isOutOfTime(cause));
}

/** Whether the database failed a query that it can answer at another time. */
export function isDatabaseFailure(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isOutOfTime(error);
}

/**
 * PostgreSQL's error classes for data that can never be stored: invalid values, violated constraints.
 * Excludes 23514, a row whose day has no partition yet.
 */
const rejectedStates = /^2[23](?!514)\w{3}$/;

/** Whether the database rejects the data of a failed query, so that retrying cannot help. */
export function isRejectedData(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return rejectedStates.test(String(code)) || (cause !== undefined && isRejectedData(cause));
}
