import { ApiError } from "./api-error.ts";
import { countValues } from "./count-values.ts";

/**
 * More values than this are refused before they are parsed: brackets and zeros take a multiple of their bytes as
 * objects. The longest chat that its byte limit allows has fewer.
 */
export const maxBodyValues = 250_000;

/** How many values a JSON text holds. Throws `request_too_large` when there are more than a body may have. */
export function refuseManyValues(text: string, alreadyCounted = 0): number {
  const count = alreadyCounted + countValues(text, maxBodyValues);
  if (count > maxBodyValues)
    throw new ApiError("request_too_large", `The body has more than ${maxBodyValues} values.`);
  return count;
}
