import "server-only";
import type { JWT } from "next-auth/jwt";
import type { SessionView } from "../session-view.ts";
import { env } from "./env.ts";

/** The content of the encrypted cookie, the only place of the bearer. */
export interface SessionToken extends Omit<SessionView, "person"> {
  bearer: string;
  /** The user's id, or the key's. */
  personId?: string;
  expiresAtMs: number;
}

export const cookieMaxAgeSeconds = 30 * 24 * 60 * 60;

export function secureCookies(): boolean {
  return env.consoleUrl.startsWith("https://");
}

/** The cookie's name, as next-auth chooses it. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

/** The session in a decoded cookie; null when it is invalid or expired. */
export function sessionTokenOf(jwt: JWT | null, nowMs = Date.now()): SessionToken | null {
  const token = jwt?.gatehouse as Partial<SessionToken> | undefined;
  if (!token || typeof token.bearer !== "string" || typeof token.expiresAtMs !== "number") return null;
  if (token.expiresAtMs <= nowMs) return null;
  return token as SessionToken;
}
