import "server-only";
import { accountHeader, clientAddressHeader } from "#contract/client-address.ts";
import { accountInAddress } from "../../paths.ts";
import { anotherPersonMessage } from "../../person.ts";
import { cachePolicy, crossSiteRefusal, isSameOrigin, refusal } from "../csrf.ts";
import { sessionToken } from "../session.ts";
import { isOfAnotherPerson } from "../session-cookie.ts";
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
  accountHeader,
  clientAddressHeader,
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

/** Forwards a browser's request to the gateway with the credential, and streams the answer back. */
export async function relay(request: Request, segments: readonly string[]): Promise<Response> {
  if (!isSameOrigin(request)) return crossSiteRefusal();
  const path = allowedPath(request.method, segments);
  if (!path) return refusal(404, "route_not_found", "This route is not available through the console.");
  const token = await sessionToken();
  if (!token) return signedOut();
  if (isOfAnotherPerson(request.headers, token))
    return refusal(409, "signed_in_as_another", anotherPersonMessage);
  const { account, search } = splitAccount(request.url);
  let upstream: Response;
  try {
    upstream = await fetch(gatewayAddress(path) + search, {
      method: request.method,
      cache: "no-store",
      redirect: "manual",
      signal: request.signal,
      headers: {
        ...picked(request.headers, requestHeaders),
        ...(account && { [accountHeader]: account }),
        authorization: `Bearer ${token.bearer}`,
      },
      ...(request.body && { body: request.body, duplex: "half" }),
    } as RequestInit);
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 });
    return refusal(502, "gateway_unreachable", unreachable(error).message);
  }
  if (upstream.status === 401) {
    await upstream.body?.cancel();
    return signedOut();
  }
  const isStream = upstream.headers.get("content-type")?.startsWith("text/event-stream");
  return new Response(isStream && upstream.body ? endingQuietly(upstream.body) : upstream.body, {
    status: upstream.status,
    headers: { ...picked(upstream.headers, responseHeaders, "x-svc-"), "cache-control": cachePolicy },
  });
}

/** An interrupted event stream just ends. The reader detects missing events by the last event. */
function endingQuietly(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch(() => null);
      if (!next || next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** A download link cannot send a header, so its address contains the account. */
function splitAccount(address: string): { account: string | null; search: string } {
  const url = new URL(address);
  const account = url.searchParams.get(accountInAddress);
  if (account === null) return { account, search: url.search };
  url.searchParams.delete(accountInAddress);
  return { account, search: url.search };
}

function picked(headers: Headers, names: readonly string[], prefix?: string): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => names.includes(name) || (prefix && name.startsWith(prefix))),
  );
}

function signedOut(): Response {
  return refusal(401, "signed_out", "Your session has ended. Sign in again.");
}
