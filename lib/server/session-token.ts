import "server-only";
import type { JWT } from "next-auth/jwt";
import type { SessionView } from "../session-view.ts";
import { env } from "./env.ts";

/** The content of the encrypted cookie, which is the only place that stores the bearer. */
export interface SessionToken extends Omit<SessionView, "person"> {
  bearer: string;
  /** The id of the user or key. */
  personId?: string;
  expiresAtMs: number;
}

export const cookieMaxAgeSeconds = 30 * 24 * 60 * 60;

export function secureCookies(): boolean {
  return env.consoleUrl.startsWith("https://");
}

/** The cookie name that next-auth uses. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

/** The session in a decrypted cookie; null if it is invalid or expired. */
export function sessionTokenOf(jwt: JWT | null, nowMs = Date.now()): SessionToken | null {
  const token = jwt?.gatehouse as Partial<SessionToken> | undefined;
  if (!token || typeof token.bearer !== "string" || typeof token.expiresAtMs !== "number") return null;
  if (token.expiresAtMs <= nowMs) return null;
  return token as SessionToken;
}
