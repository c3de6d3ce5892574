/** PostgreSQL's state for a canceled statement, such as by `statement_timeout`. */
const canceledState = "57014";

/** Whether a query failed because it exceeded its time limit. */
export function isOutOfTime(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return code === canceledState || (cause !== undefined && isOutOfTime(cause));
}
