import { ApiError } from "#gateway/platform/core/api-error.ts";

/** Maps a chat parameter to its place in the request of another API. */
export type Places = Readonly<Record<string, string>>;

/** Renames the parameter of a chat's error to that of the API that the client used. */
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
