import { accountHeader } from "#contract/client-address.ts";
import {
  type AnswerOf,
  type AnyCall,
  type ArgumentsOf,
  addressOf,
  type PageRoute,
} from "#contract/routes/client.ts";
import type { Method } from "#contract/routes/route.ts";
import {
  failureOf,
  type GatewayFailure,
  type GatewayResult,
  localFailure,
  queryString,
} from "../gateway/result.ts";
import { placeOf } from "../paths.ts";
import { anotherPersonMessage } from "../person.ts";
import { createFollowed } from "./followed.ts";
import { isAnotherPerson, recordSession } from "./session.ts";

/** The code of a request that was refused because somebody else has signed in since the page was rendered. */
export const signedInAsAnother: GatewayFailure = {
  ...localFailure("signed_in_as_another", anotherPersonMessage),
  status: 409,
};

type Query = Record<string, string | number | boolean | null | undefined>;

/**
 * Event on the window after the gateway refused a request because of the visitor's role, which may have
 * changed.
 */
export const roleRefusedEvent = "gatehouse:role-refused";

/** Event on the window that opens the sign-in dialog over the page. */
export const signInAgainEvent = "gatehouse:sign-in-again";

interface BrowserRequest {
  method?: Method;
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Dispatches the event when a failure may mean that the visitor's role has changed. */
export function reportFailure({ code }: GatewayFailure): void {
  if (code === "role_not_allowed") window.dispatchEvent(new Event(roleRefusedEvent));
}

/** The header that names the account in the page's address, if there is one. */
export function accountOfPage(): Record<string, string> {
  const { accountId } = placeOf(window.location.pathname);
  return accountId ? { [accountHeader]: accountId } : {};
}

/**
 * Whether the last request of this page reached the gateway, or else what it could not reach: console or
 * gateway.
 */
export type Reach = "reached" | "no-gateway" | "no-console";

const reach = createFollowed<Reach>("reached");
export const currentReach = reach.get;
export const onReach = reach.follow;

/** The raw response, for streams and media. It is a failure only when the console cannot be reached. */
export async function sendToGateway(
  path: string,
  request: BrowserRequest = {},
): Promise<GatewayResult<Response>> {
  const { method = "GET", query, body, headers, signal } = request;
  if (isAnotherPerson()) {
    recordSession(0);
    return { ok: false, error: signedInAsAnother };
  }
  try {
    const response = await fetch(`/api/gateway${path}${queryString(query)}`, {
      method,
      // Chromium runs equal GET requests one after the other unless they bypass the cache.
      cache: "no-store",
      headers: {
        ...accountOfPage(),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    recordSession(response.status);
    return { ok: true, data: response };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    recordReach("offline");
    return {
      ok: false,
      error: localFailure("offline", "The console cannot be reached. Check your connection and try again."),
    };
  }
}

/** Records whether a request reached the gateway. `code` is the code of its failure, or null. */
function recordReach(code: string | null): void {
  reach.set(code === "gateway_unreachable" ? "no-gateway" : code === "offline" ? "no-console" : "reached");
}

export type Extras = Pick<BrowserRequest, "headers" | "signal">;

/**
 * Calls a route of the gateway, such as `GET /predictions/{id}`, through the console's `/api/gateway`, where
 * the server adds the credential. The table of routes gives the types of parameters and result.
 */
export async function callRoute<Name extends PageRoute>(
  route: Name,
  ...[call]: ArgumentsOf<Name, Extras>
): Promise<GatewayResult<AnswerOf<Name>>> {
  const { params, ...rest } = (call ?? {}) as AnyCall & Extras;
  const { method, path } = addressOf(route, params);
  const answer = await sendToGateway(path, { ...rest, method });
  if (!answer.ok) return answer;
  const response = answer.data;
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) {
    recordReach(null);
    return { ok: true, data: body as AnswerOf<Name> };
  }
  const error = failureOf(response.status, body, response.headers);
  recordReach(error.code);
  reportFailure(error);
  return { ok: false, error };
}
