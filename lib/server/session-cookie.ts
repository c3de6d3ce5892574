import "server-only";
import { createHmac } from "node:crypto";
import { decode, encode, type JWT } from "next-auth/jwt";
import type { Language } from "../../messages/languages.ts";
import { personCookie, personHeader, type SessionView } from "../person.ts";
import {
  parsePreferences,
  preferencesCookie,
  preferencesMaxAgeSeconds,
  serialisePreferences,
} from "../preferences.ts";
import { env } from "./env.ts";

/** Encrypts the content of the session cookie. */
export function sealCookie(content: JWT, maxAgeSeconds: number): Promise<string> {
  const [current] = env.sessionSecrets;
  return encode({ token: content, secret: current, maxAge: maxAgeSeconds });
}

/** Decrypts a session cookie. Null if it was not encrypted here or has expired. */
export async function openCookie(sealed: string | undefined): Promise<JWT | null> {
  if (!sealed) return null;
  for (const secret of env.sessionSecrets) {
    const content = await decode({ token: sealed, secret }).catch(() => null);
    if (content) return content;
  }
  return null;
}

/** The content of the encrypted cookie, the only place that stores the bearer token. */
export interface SessionToken extends Omit<SessionView, "person"> {
  bearer: string;
  /** The id of the user or key. */
  personId?: string;
  expiresAtMs: number;
  /** The language that the person has chosen. */
  language?: Language;
}

export const cookieMaxAgeSeconds = 30 * 24 * 60 * 60;

export function secureCookies(): boolean {
  return env.consoleUrl.startsWith("https://");
}

/** The cookie name that next-auth uses. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}

/** The session in a decrypted cookie. Null if it is invalid or expired. */
export function sessionTokenOf(jwt: JWT | null, nowMs = Date.now()): SessionToken | null {
  const token = jwt?.gatehouse as Partial<SessionToken> | undefined;
  if (!token || typeof token.bearer !== "string" || typeof token.expiresAtMs !== "number") return null;
  if (token.expiresAtMs <= nowMs) return null;
  return token as SessionToken;
}

/** A hash of the person or key of a session. Others cannot learn anything from it. */
export function personOf({ kind, personId, email, bearer }: SessionToken): string {
  // Cookies of earlier releases have no id.
  const id = personId ?? email ?? bearer;
  return createHmac("sha256", env.sessionSecrets[0]).update(`${kind} ${id}`).digest("base64url").slice(0, 22);
}

/** Whether a request comes from a page that was rendered for another person. */
export function isOfAnotherPerson(headers: Headers, token: SessionToken): boolean {
  const drawnFor = headers.get(personHeader);
  return drawnFor !== null && drawnFor !== personOf(token);
}

/**
 * A cookie beside the session cookie. Scripts can read it, so a page notices when another person signs in.
 */
export function personCookieOf(token: SessionToken) {
  return {
    name: personCookie,
    value: personOf(token),
    httpOnly: false,
    sameSite: "lax",
    secure: secureCookies(),
    path: "/",
    maxAge: cookieMaxAgeSeconds,
  } as const;
}

/**
 * The cookie of this browser's settings with the language that the person has chosen; null if they chose none, so that
 * what was chosen here before stays. `present`: the cookie's value.
 */
export function languageCookieOf({ language }: SessionToken, present: string | undefined) {
  if (!language) return null;
  const value = serialisePreferences({ ...parsePreferences(present), language });
  return {
    name: preferencesCookie,
    // Encoded again when it is set.
    value: decodeURIComponent(value),
    sameSite: "lax",
    path: "/",
    maxAge: preferencesMaxAgeSeconds,
  } as const;
}
