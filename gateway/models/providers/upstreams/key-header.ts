/** How a key is sent: after this word in `authorization`, or in a header of this name. */
export type KeyScheme = "Bearer" | "Key" | "x-api-key";

/** The header with a key; none for an upstream without keys. */
export function keyHeader(scheme: KeyScheme, key: string | null): Record<string, string> {
  if (key === null) return {};
  return scheme === "x-api-key" ? { "x-api-key": key } : { authorization: `${scheme} ${key}` };
}
