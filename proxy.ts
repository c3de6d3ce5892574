import { type NextRequest, NextResponse } from "next/server";
import { getToken } from "next-auth/jwt";
import { signInPath } from "@/lib/return-path";
import { contentPolicy } from "@/lib/server/content-policy";
import { env } from "@/lib/server/env";
import { secureCookies, sessionTokenOf } from "@/lib/server/session-token";

const publicPaths = ["/sign-in", "/setup"];

/**
 * Before every page: the content security policy with a fresh nonce, and the way to the sign-in page. The redirect
 * is a convenience; pages, actions and route handlers check the session themselves.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  const nonce = btoa(crypto.randomUUID());
  const policy = contentPolicy(nonce);
  const isPublic = publicPaths.some((path) => pathname === path || pathname.startsWith(`${path}/`));

  if (!isPublic && !(await isSignedIn(request)) && !request.headers.has("next-action"))
    return NextResponse.redirect(new URL(signInPath(pathname + search), request.url));

  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-gatehouse-path", pathname + search);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (secureCookies()) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
}

async function isSignedIn(request: NextRequest): Promise<boolean> {
  const jwt = await getToken({ req: request, secret: env.authSecret, secureCookie: secureCookies() });
  return sessionTokenOf(jwt) !== null;
}

export const config = {
  // Route handlers stay outside: they check for themselves, and Next cuts bodies over 10 MB behind a proxy.
  matcher: ["/((?!api/|_next/|fonts/|icon|favicon|apple-icon|manifest|robots\\.txt).*)"],
};
