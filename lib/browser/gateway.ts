import { accountHeader } from "#contract/client-address.ts";
import {
  type AnswerOf,
  type AnyCall,
  type ArgumentsOf,
  addressOf,
  type PageRoute,
} from "#contract/routes/client.ts";
import type { Method } from "#contract/routes/route.ts";
import { placeOf } from "../account-path.ts";
import {
  failureOf,
  type GatewayFailure,
  type GatewayResult,
  localFailure,
  queryString,
} from "../gateway/result.ts";
import { anotherPersonMessage } from "../person.ts";
import { recordReach } from "./reach.ts";
import { isAnotherPerson, recordSession } from "./session.ts";

/** Refused because somebody else has signed in since the page was rendered. */
export const signedInAsAnother: GatewayFailure = {
  ...localFailure("signed_in_as_another", anotherPersonMessage),
  status: 409,
};

type Query = Record<string, string | number | boolean | null | undefined>;

/**
 * Dispatched on the window when the gateway refuses something because of the visitor's role, which may have
 * changed.
 */
export const roleRefusedEvent = "gatehouse:role-refused";

/** Dispatched on the window to open the sign-in dialog over the page. */
export const signInAgainEvent = "gatehouse:sign-in-again";

interface BrowserRequest {
  method?: Method;
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Reports a failure which may mean that the visitor's role has changed. */
export function reportFailure({ code }: GatewayFailure): void {
  if (code === "role_not_allowed") window.dispatchEvent(new Event(roleRefusedEvent));
}

/** The header with the account in the page's address, if there is one. */
export function accountOfPage(): Record<string, string> {
  const { accountId } = placeOf(window.location.pathname);
  return accountId ? { [accountHeader]: accountId } : {};
}

/** The raw response, for streams and media. Only an unreachable console is a failure. */
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
      // Chromium queues equal GET requests one after the other unless they bypass the cache.
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

export type Extras = Pick<BrowserRequest, "headers" | "signal">;

/**
 * Calls a route of the gateway, such as `GET /predictions/{id}`, through the console's `/api/gateway`, where
 * the server adds the credential. Parameters and result are typed by the table of routes.
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
