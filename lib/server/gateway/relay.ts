import "server-only";
import type { ErrorBody } from "#contract/error.ts";
import { isSameOrigin } from "../csrf.ts";
import { sessionToken } from "../session.ts";
import { allowedPath } from "./allow-list.ts";
import { gatewayAddress, unreachable } from "./send.ts";

const requestHeaders = [
  "accept",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "last-event-id",
  "prefer",
  "range",
  "x-forwarded-for",
];

const responseHeaders = [
  "accept-ranges",
  "content-disposition",
  "content-range",
  "content-type",
  "etag",
  "idempotent-replayed",
  "preference-applied",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "x-accel-buffering",
  "x-request-id",
  "x-should-retry",
];

/** Every answer goes to one signed-in browser; streams must not be held back for compression. */
const cachePolicy = "private, no-store, no-transform";

/** Passes a request of the browser on to the gateway, with the credential, and streams the answer back. */
export async function relay(request: Request, segments: readonly string[]): Promise<Response> {
  if (!isSameOrigin(request))
    return refuse(403, "cross_site_request", "Only pages of this console may call this.");
  const path = allowedPath(request.method, segments);
  if (!path) return refuse(404, "route_not_found", "The console does not pass this route on.");
  const token = await sessionToken();
  if (!token) return signedOut();
  let upstream: Response;
  try {
    upstream = await fetch(gatewayAddress(path) + new URL(request.url).search, {
      method: request.method,
      cache: "no-store",
      redirect: "manual",
      signal: request.signal,
      headers: { ...picked(request.headers, requestHeaders), authorization: `Bearer ${token.bearer}` },
      ...(request.body && { body: request.body, duplex: "half" }),
    } as RequestInit);
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 });
    return refuse(502, "gateway_unreachable", unreachable(error).message);
  }
  if (upstream.status === 401) {
    await upstream.body?.cancel();
    return signedOut();
  }
  return new Response(upstream.body, {
    status: upstream.status,
    headers: { ...picked(upstream.headers, responseHeaders, "x-svc-"), "cache-control": cachePolicy },
  });
}

function picked(headers: Headers, names: readonly string[], prefix?: string): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => names.includes(name) || (prefix && name.startsWith(prefix))),
  );
}

function signedOut(): Response {
  return refuse(401, "signed_out", "Your session has ended. Sign in again.");
}

function refuse(status: number, code: string, message: string): Response {
  const body: ErrorBody = { error: { message, type: "console_error", code, param: null, request_id: null } };
  return Response.json(body, { status, headers: { "cache-control": cachePolicy } });
}
