import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The error for an unreadable part: malformed, unless the disk failed. */
export function multipartFailure(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || "syscall" in error) return error;
  return new ApiError("malformed_request", `The multipart body cannot be read: ${error.message}.`, {
    cause: error,
  });
}

/**
 * Converts a JSON pointer to the notation of `param`: `/messages/1/content` becomes `messages[1].content`.
 */
export function paramAt(pointer: string): string {
  let name = "";
  for (const step of pointer.split("/").slice(1)) {
    if (/^\d+$/.test(step)) name += `[${step}]`;
    else name += name === "" ? step : `.${step}`;
  }
  return name;
}
