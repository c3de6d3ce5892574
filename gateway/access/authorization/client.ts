import { ApiError } from "#gateway/platform/core/api-error.ts";

const longestName = 100;

/** Who asks to be connected. */
export interface Client {
  id: string;
  name: string;
  /** Where its metadata document is; null: it registered itself, under a name that nobody has checked. */
  host: string | null;
  redirectUris: readonly string[];
}

/** A name that strangers chose, without what would make it look like something else. */
export function shownName(text: unknown, otherwise: string): string {
  const plain = typeof text === "string" ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim() : "";
  return [...(plain || otherwise)].slice(0, longestName).join("");
}

export function invalidClient(message: string, cause?: unknown): ApiError {
  return new ApiError("invalid_client", message, { param: "client_id", cause });
}
