import "server-only";
import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { addressAccountHeader, safeReturnPath, signInPath } from "../paths.ts";
import { personCookie, type SessionView } from "../person.ts";
import { type Preferences, parsePreferences, preferencesCookie } from "../preferences.ts";
import {
  cookieMaxAgeSeconds,
  languageCookieOf,
  openCookie,
  personCookieOf,
  personOf,
  type SessionToken,
  sealCookie,
  secureCookies,
  sessionCookieName,
  sessionTokenOf,
} from "./session-cookie.ts";

/**
 * The encrypted session of this request, cached for the request. Only for calls to the gateway, because it
 * contains the bearer token.
 */
export const sessionToken = cache(async (): Promise<SessionToken | null> => {
  const sealed = (await cookies()).get(sessionCookieName())?.value;
  return sessionTokenOf(await openCookie(sealed));
});

/** The signed-in person and their account, or null. Safe to send to the browser. */
export async function currentSession(): Promise<SessionView | null> {
  const token = await sessionToken();
  if (!token) return null;
  const { kind, accountName, name, email } = token;
  return {
    kind,
    person: personOf(token),
    accountId: (await addressedAccount()) ?? token.accountId,
    accountName,
    name,
    email,
  };
}

/** The signed-in person. Otherwise redirects to the sign-in page, which returns here. */
export async function requireSession(): Promise<SessionView> {
  const session = await currentSession();
  if (!session) redirect(signInPath(await requestedPath()));
  return session;
}

/** The account in the page's address, passed on by proxy.ts. Null without one. */
export async function addressedAccount(): Promise<string | null> {
  return (await headers()).get(addressAccountHeader);
}

/** The path that the visitor opened, passed on by proxy.ts. */
export async function requestedPath(): Promise<string> {
  return safeReturnPath((await headers()).get("x-gatehouse-path"));
}

/** Signs this browser in. Only actions and route handlers may set cookies. */
export async function startSession(token: SessionToken): Promise<void> {
  const content = { name: token.name, email: token.email, gatehouse: token };
  const sealed = await sealCookie(content, cookieMaxAgeSeconds);
  (await cookies()).set(sessionCookieName(), sealed, {
    httpOnly: true,
    sameSite: "lax",
    secure: secureCookies(),
    path: "/",
    expires: new Date(token.expiresAtMs),
  });
  (await cookies()).set(personCookieOf(token));
  const language = languageCookieOf(token, (await cookies()).get(preferencesCookie)?.value);
  if (language) (await cookies()).set(language);
}

/** Removes the session from this browser. */
export async function endSession(): Promise<void> {
  (await cookies()).delete({ name: sessionCookieName(), path: "/", secure: secureCookies() });
  (await cookies()).delete({ name: personCookie, path: "/", secure: secureCookies() });
}

/** The visitor's settings for this browser. */
export async function visitorsPreferences(): Promise<Preferences> {
  return parsePreferences((await cookies()).get(preferencesCookie)?.value);
}

/** How a sign-in started: with the password, or with a passkey. */
type Begun = "password" | "passkey";

const names = { password: "gatehouse.second-factor", passkey: "gatehouse.passkey" };

/** Only the sign-in routes receive these cookies. */
const path = "/api/auth";

/** Stores the gateway's ticket for the next step in a cookie that no script can read. */
export async function keepTicket(begun: Begun, ticket: string, expiresAt: string): Promise<void> {
  (await cookies()).set(names[begun], ticket, {
    httpOnly: true,
    sameSite: "strict",
    secure: secureCookies(),
    path,
    expires: new Date(expiresAt),
  });
}

export async function keptTicket(begun: Begun): Promise<string | null> {
  return (await cookies()).get(names[begun])?.value ?? null;
}

export async function dropTicket(begun: Begun): Promise<void> {
  (await cookies()).delete({ name: names[begun], path, secure: secureCookies() });
}
