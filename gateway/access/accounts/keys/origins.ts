import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The origins of a key as browsers write them, each once. Throws `invalid_parameter` for what is no origin. */
export function originsOf(given: readonly string[] | null): string[] | null {
  if (given === null) return null;
  const origins = given.map((text, at) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && url.hostname !== "" && url.pathname === "/" && !url.username)
      return url.origin;
    const param = `allowed_origins[${at}]`;
    throw new ApiError(
      "invalid_parameter",
      `${param} is ${text}, which is no origin. Write it as https://app.example.com, without a path.`,
      { param },
    );
  });
  return [...new Set(origins)];
}
