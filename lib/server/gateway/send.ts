import "server-only";
import { changeHeader } from "#contract/operator/constants.ts";
import { failureOf, type GatewayResult, localFailure, queryString } from "../../gateway/result.ts";
import { env } from "../env.ts";

type Query = Record<string, string | number | boolean | null | undefined>;

export interface GatewayCall {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  bearer?: string | null;
  /** How long to wait for the answer. Routes that call another service first need longer than the default. */
  timeoutMs?: number;
}

/** How long a page waits for the gateway. */
const defaultTimeoutMs = 15_000;

/** The address of a gateway route. `path` starts after `/v1`. */
export function gatewayAddress(path: string): string {
  return `${env.gatewayUrl.replace(/\/v1$/, "")}/v1${path}`;
}

/** Sends one request to the gateway and reads its JSON answer. */
export async function sendGateway<Data>(path: string, call: GatewayCall = {}): Promise<GatewayResult<Data>> {
  const { method = "GET", query, body, headers, bearer, timeoutMs = defaultTimeoutMs } = call;
  const address = gatewayAddress(path);
  if (new URL(address).href !== address) return { ok: false, error: crookedPath };
  let response: Response;
  try {
    response = await fetch(address + queryString(query), {
      method,
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    return { ok: false, error: unreachable(error, timeoutMs) };
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) return { ok: false, error: failureOf(response.status, answer, response.headers) };
  const changeId = response.headers.get(changeHeader);
  return { ok: true, data: answer as Data, ...(changeId !== null && { changeId }) };
}

/** An id from a browser may be "..", which would lead to another route. */
const crookedPath = {
  ...localFailure("route_not_found", "This address does not exist. Reload the page, then try again."),
  status: 404,
};

/** The failure for a gateway that did not answer. It contains only the kind of failure, no addresses. */
export function unreachable(error: unknown, timeoutMs = defaultTimeoutMs) {
  const timedOut = error instanceof DOMException && error.name === "TimeoutError";
  return localFailure(
    "gateway_unreachable",
    timedOut ? `No response within ${timeoutMs / 1000} s.` : "Connection failed.",
  );
}
