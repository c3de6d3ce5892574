/** PostgreSQL's state for a statement that it ended, as `statement_timeout` makes it. */
const canceledState = "57014";

/** Whether a query failed because its time was up. */
export function isOutOfTime(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === canceledState || (cause !== undefined && isOutOfTime(cause));
}
