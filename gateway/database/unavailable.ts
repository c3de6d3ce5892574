import type { LogFn, Logger } from "pino";

interface Failure {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

/**
 * PostgreSQL's states for a server that stops, starts, closed the connection, has none left (53300), has a full disk
 * (53100) or became a stand-by (25006), and for a transaction that lost against another (40001, 40P01): nothing was changed.
 */
const awayStates = /^(08\w{3}|57P0[123]|25006|40001|40P01|53100|53300)$/;
/** The messages of `pg` errors without a code. */
const awayMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Client was closed|No answer from the database)/;
/** Socket errors; a client's own socket has the same codes, so they count only as the cause of a failed query. */
const brokenSocket = /^(ECONNRESET|EPIPE|ETIMEDOUT)$/;
const mostCauses = 5;

/** Whether a query failed because the database is unavailable, so that a later retry can succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  let at = error as Failure | null | undefined;
  let isQuery = false;
  for (let depth = 0; at && depth < mostCauses; depth += 1, at = at.cause as Failure | undefined) {
    const code = String(at.code);
    if (awayStates.test(code) || awayMessages.test(String(at.message)) || at.syscall === "connect")
      return true;
    if (isQuery && brokenSocket.test(code)) return true;
    isQuery ||= String(at.message).startsWith("Failed query");
  }
  return false;
}

/** Lines about a database that is away are logged once in this time. */
const tellEveryMs = 600_000;

/**
 * A hook of pino: while the database is away, everything that needs it fails again and again, and says so each time. The first of these
 * lines is logged, the others are counted in the next one.
 */
export function tellOutageOnce(): (this: Logger, words: Parameters<LogFn>, log: LogFn) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return function (words, log) {
    const [detail] = words as unknown[] as [{ err?: unknown } | undefined];
    if (!isDatabaseUnavailable(detail?.err)) return log.apply(this, words);
    if (performance.now() - toldAt < tellEveryMs) {
      leftOut += 1;
      return;
    }
    toldAt = performance.now();
    log.apply(this, leftOut === 0 ? words : ([{ ...detail, leftOut }, ...words.slice(1)] as typeof words));
    leftOut = 0;
  };
}
