import { ApiError } from "#gateway/platform/core/api-error.ts";

const longestName = 100;

/** A client that requests a connection. */
export interface Client {
  id: string;
  name: string;
  /**
   * The host of its metadata document; null: the client registered itself, under a name that nobody has
   * checked.
   */
  host: string | null;
  redirectUris: readonly string[];
}

/** A name chosen by a stranger, without characters that disguise text. */
export function shownName(text: unknown, otherwise: string): string {
  const plain = typeof text === "string" ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim() : "";
  return [...(plain || otherwise)].slice(0, longestName).join("");
}

export function invalidClient(message: string, cause?: unknown): ApiError {
  return new ApiError("invalid_client", message, { param: "client_id", cause });
}
