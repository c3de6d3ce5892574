import "server-only";
import { createHmac } from "node:crypto";
import { personCookie, personHeader } from "../person.ts";
import { env } from "./env.ts";
import { cookieMaxAgeSeconds, type SessionToken, secureCookies } from "./session-token.ts";

/** A hash of the person or key behind a session; it says nothing about them to others. */
export function personOf({ kind, personId, email, bearer }: SessionToken): string {
  // A cookie of an earlier release has no id.
  const id = personId ?? email ?? bearer;
  return createHmac("sha256", env.sessionSecrets[0]).update(`${kind} ${id}`).digest("base64url").slice(0, 22);
}

/** Whether a request comes from a page that was drawn for somebody else than who is signed in now. */
export function isOfAnotherPerson(headers: Headers, token: SessionToken): boolean {
  const drawnFor = headers.get(personHeader);
  return drawnFor !== null && drawnFor !== personOf(token);
}

/** Beside the session's cookie: readable, so that a page notices when somebody else signs in. */
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
