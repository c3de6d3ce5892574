/** PostgreSQL's classes for data that can never be stored: a value of the wrong form, a broken constraint. */
const rejectedStates = /^2[23]\w{3}$/;

/** Whether the database rejects the data of a failed query, so that asking again cannot help. */
export function isRejectedData(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return rejectedStates.test(String(code)) || (cause !== undefined && isRejectedData(cause));
}
