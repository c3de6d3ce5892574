import "server-only";
import { createHmac } from "node:crypto";
import { personCookie, personHeader } from "../person.ts";
import { env } from "./env.ts";
import { cookieMaxAgeSeconds, type SessionToken, secureCookies } from "./session-token.ts";

/** A hash of the person or key behind a session; it reveals nothing to others. */
export function personOf({ kind, personId, email, bearer }: SessionToken): string {
  // Cookies of earlier releases have no id.
  const id = personId ?? email ?? bearer;
  return createHmac("sha256", env.sessionSecrets[0]).update(`${kind} ${id}`).digest("base64url").slice(0, 22);
}

/** Whether a request comes from a page that was rendered for somebody else. */
export function isOfAnotherPerson(headers: Headers, token: SessionToken): boolean {
  const drawnFor = headers.get(personHeader);
  return drawnFor !== null && drawnFor !== personOf(token);
}

/** Accompanies the session cookie. Scripts can read it, so a page notices when somebody else signs in. */
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
