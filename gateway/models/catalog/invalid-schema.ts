import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The error for a schema that the catalog cannot offer; `message` gives the reason in plain words. */
export function invalidSchema(message: string, param: string | null = null): ApiError {
  return new ApiError("invalid_schema", message, { param });
}
