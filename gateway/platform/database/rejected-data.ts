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
