interface Failure {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

/** PostgreSQL's classes for a server that stops, starts or cut the connection. */
const awayStates = /^(08\w{3}|57P0[123])$/;
/** What `pg` says without a code. */
const awayMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|No answer from the database)/;
/** What a socket says; a client's own says the same, so it counts only below a failed query. */
const brokenSocket = /^(ECONNRESET|EPIPE|ETIMEDOUT)$/;
const mostCauses = 5;

/** Whether a query failed since the database does not answer: what asked can ask again later. */
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
