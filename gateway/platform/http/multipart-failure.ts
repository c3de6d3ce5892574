import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The error for an unreadable part: malformed, unless the disk failed. */
export function multipartFailure(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || "syscall" in error) return error;
  return new ApiError("malformed_request", `The multipart body cannot be read: ${error.message}.`, {
    cause: error,
  });
}
