import "server-only";
import { cookies, headers } from "next/headers";
import { type ProviderPurpose, type ProviderStart, providerPurposes } from "#contract/accounts/oidc.ts";
import { clientAddressHeader } from "#contract/client-address.ts";
import type { GatewayResult } from "../gateway/result.ts";
import { inAccount, safeReturnPath } from "../paths.ts";
import { env } from "./env.ts";
import { finishProviderSignIn, sessionTokenFrom, startProviderSignIn } from "./gateway/sign-in.ts";
import { sessionToken, startSession } from "./session.ts";
import { openCookie, sealCookie, secureCookies } from "./session-cookie.ts";

/** Lifetime of the cookie: the time for which the gateway waits for the browser's return. */
const cookieSeconds = 600;
const cookiePath = "/sign-in";

/**
 * Sends this browser to the identity provider, and stores in a cookie the value that the browser must return
 * with.
 */
export async function beginProviderSignIn(request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const purpose = providerPurposes.find((each) => each === query.get("purpose")) ?? "sign_in";
  // Only a page of this console may start this: otherwise another site could link its own identity to a
  // signed-in person.
  if (purpose !== "sign_in" && request.headers.get("sec-fetch-site") !== "same-origin")
    return failed("provider_sign_in_failed");
  const started = await leaveForProvider({ purpose }, safeReturnPath(query.get("from")));
  return started.ok ? goTo(started.data) : failed(started.error.code);
}

/**
 * The provider's address. A cookie stores the value that the browser must return with, and the page to return
 * to.
 */
export async function leaveForProvider(
  body: ProviderStart & { purpose: ProviderPurpose },
  from: string,
): Promise<GatewayResult<string>> {
  const { purpose, invitation_token: invitation } = body;
  const started = await startProviderSignIn(body, await visitor(purpose));
  if (!started.ok) return started;
  const { state, url } = started.data;
  const begun = { state, purpose, from, joins: invitation !== undefined };
  (await cookies()).set(cookieName(), await sealCookie(begun, cookieSeconds), {
    httpOnly: true,
    sameSite: "lax",
    secure: secureCookies(),
    path: cookiePath,
    maxAge: cookieSeconds,
  });
  return { ok: true, data: url };
}

/** The provider sent the browser back. Passes its answer on to the gateway, which verifies it. */
export async function endProviderSignIn(request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const jar = await cookies();
  const begun = await openCookie(jar.get(cookieName())?.value);
  jar.delete({ name: cookieName(), path: cookiePath, secure: secureCookies() });
  const state = query.get("state") ?? "";
  // Refused, because an answer that this browser did not request could sign it in as another person.
  if (state === "" || begun?.state !== state) return failed("sign_in_expired");
  const answer = Object.fromEntries(
    ["code", "iss", "error"].flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const finished = await finishProviderSignIn(
    { state, ...answer },
    await visitor(begun.purpose as ProviderPurpose),
  );
  if (!finished.ok) return failed(finished.error.code);
  const { session } = finished.data;
  if (session) await startSession(sessionTokenFrom(session));
  const from = safeReturnPath(String(begun.from));
  // Somebody who joined another account sees that account first.
  const isOneOfSeveral = begun.joins === true && session !== null && session.accounts.length > 1;
  return goTo(new URL(inAccount(isOneOfSeveral ? session.account.id : null, from), env.consoleUrl).href);
}

/** A sign-in has no person yet. The other purposes concern the signed-in person. */
async function visitor(purpose: ProviderPurpose) {
  const bearer = purpose === "sign_in" ? null : ((await sessionToken())?.bearer ?? null);
  return { bearer, clientAddress: (await headers()).get(clientAddressHeader) };
}

function cookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}gatehouse.provider-sign-in`;
}

function failed(code: string): Response {
  return goTo(new URL(`/sign-in?problem=${encodeURIComponent(code)}`, env.consoleUrl).href);
}

/** An address with a code must not reach caches or other sites. */
function goTo(address: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: address, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}
