import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Where the parameters of a chat stand in the request of another front, by their names. */
export type Places = Readonly<Record<string, string>>;

/** What a chat refuses, under the names of the front that was asked. */
export function underNamesOf(places: Places, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.param === null) return error;
  const [name = ""] = error.param.split(/[.[]/);
  const place = Object.hasOwn(places, name) ? places[name] : undefined;
  if (place === undefined) return error;
  return new ApiError(error.code, error.message.replace(name, place), {
    param: place,
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    cause: error.cause,
  });
}
