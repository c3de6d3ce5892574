import { type NextRequest, NextResponse } from "next/server";
import { addressAccountHeader, placeOf, signInPath } from "@/lib/paths";
import { personCookie } from "@/lib/person";
import { refusalOfAction } from "@/lib/server/action-body";
import { contentPolicy } from "@/lib/server/content-policy";
import { crossSiteRefusal, isSameOrigin } from "@/lib/server/csrf";
import {
  isOfAnotherPerson,
  openCookie,
  personCookieOf,
  personOf,
  secureCookies,
  sessionCookieName,
  sessionTokenOf,
} from "@/lib/server/session-cookie";

const publicPaths = ["/sign-in", "/setup", "/invite", "/reset", "/forgot", "/email", "/public", "/llms.txt"];

/**
 * Runs before every page: sets the content security policy with a fresh nonce, passes on the account in the
 * address, and redirects to the sign-in page. The redirect is only a convenience; pages, actions and route
 * handlers check the session themselves. A server action must come from a page of this console: Next itself
 * accepts one without an Origin.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  if (!isSameOrigin(request)) return crossSiteRefusal();
  const malformed = await refusalOfAction(request);
  if (malformed) return malformed;
  const { pathname, search } = request.nextUrl;
  const nonce = btoa(crypto.randomUUID());
  const policy = contentPolicy(nonce);
  const isPublic = publicPaths.some((path) => pathname === path || pathname.startsWith(`${path}/`));

  const session = sessionTokenOf(await openCookie(request.cookies.get(sessionCookieName())?.value));
  if (!isPublic && !session && !request.headers.has("next-action"))
    return NextResponse.redirect(new URL(signInPath(pathname + search), request.url));
  // Part of a page, requested by a page of another person: the browser then loads the whole page instead.
  if (session && isOfAnotherPerson(request.headers, session) && request.method === "GET")
    return new NextResponse(null, { status: 409 });

  const headers = new Headers(request.headers);
  headers.set("x-gatehouse-path", pathname + search);
  headers.set("content-security-policy", policy);
  // Pages that send no referrer post their forms with the origin "null", which Next refuses. Such a request
  // got this far only because the browser said in Sec-Fetch-Site that the form is on a page of this console.
  if (headers.get("origin") === "null") {
    const host = headers.get("x-forwarded-host")?.split(",")[0]?.trim() ?? headers.get("host");
    headers.set("origin", `https://${host}`);
  }
  const { accountId, path } = placeOf(pathname);
  // Next forwards an action to a page that has it, whose path lacks the account: its header is the one that was
  // set here for the first request. A visitor may name an account in either, and the gateway decides.
  if (!headers.has("x-action-forwarded")) headers.delete(addressAccountHeader);
  if (accountId) headers.set(addressAccountHeader, accountId);
  const response = accountId
    ? NextResponse.rewrite(new URL(path + search, request.url), { request: { headers } })
    : NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  // For sessions that began before this cookie existed.
  if (session && request.cookies.get(personCookie)?.value !== personOf(session))
    response.cookies.set(personCookieOf(session));
  if (secureCookies()) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}

export const config = {
  matcher: [
    // Route handlers stay outside: they check for themselves, and Next truncates bodies over 10 MB behind a
    // proxy.
    "/((?!api/auth/|api/gateway/|_next/|fonts/[^/]+\\.woff2$|covers/[^/]+\\.webp$|(?:provider-icons|icon)\\.svg$|favicon\\.ico$|apple-icon\\.png$|robots\\.txt$).*)",
    // Next runs server actions under any path, even those of files: by this header, or by the form in a body.
    { source: "/((?!api/auth/|api/gateway/).*)", has: [{ type: "header", key: "next-action" }] },
    { source: "/((?!api/auth/|api/gateway/).*)", has: [{ type: "header", key: "content-type" }] },
  ],
};
