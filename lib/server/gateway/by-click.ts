import "server-only";
import type { BoundedValidator } from "#contract/checks/bounded-validation.ts";
import { compileBody, faultOf } from "#contract/checks/request-check.ts";
import type { AnyCall } from "#contract/routes/client.ts";
import type { Method, Route } from "#contract/routes/route.ts";
import { routes } from "#contract/routes/table.ts";
import { type GatewayFailure, type GatewayResult, localFailure } from "@/lib/gateway/result";
import { requestGateway } from "./request.ts";

/** The data that a page may send with the route's name. */
export interface ClickCall extends AnyCall {
  /** A repeated call with the same key is executed only once. */
  idempotencyKey?: string;
}

/**
 * Calls a route after a click on a page. Anybody can send the name and the arguments, so only routes marked
 * `byClick` are called, a parameter may only be one segment of the path, and the route's schema checks the
 * body.
 */
export async function callByClick(name: unknown, call: unknown): Promise<GatewayResult<unknown>> {
  const route = routeByClick(name);
  if (route === null)
    return refused("route_not_found", "This page cannot do this. Reload the page, then try again.", 404);
  const { params, query, body, idempotencyKey } = Object(call) as ClickCall;
  const path = pathOf(route.pattern, Object(params));
  if (path === null)
    return refused("route_not_found", "This address does not exist. Reload the page, then try again.", 404);
  const sent = jsonOf(body);
  if (sent === notJson) return refused("invalid_json", "The body is not valid JSON.", 400);
  const fault = faultIn(sent, route.entry);
  if (fault !== null) return { ok: false, error: fault };
  return requestGateway(path, {
    method: route.method,
    query: Object(query),
    ...(sent !== undefined && { body: sent }),
    ...(idempotencyKey !== undefined && { headers: { "idempotency-key": String(idempotencyKey) } }),
  });
}

/** An inherited name such as `constructor` is not a route. */
function routeByClick(name: unknown) {
  if (typeof name !== "string" || !Object.hasOwn(routes, name)) return null;
  const entry: Route = routes[name as keyof typeof routes];
  if (entry.byClick !== true) return null;
  const [method, pattern = ""] = name.split(" ") as [Method, string];
  return { entry, method, pattern };
}

/** Null if a parameter is missing or would change the route. */
function pathOf(pattern: string, params: object): string | null {
  const segments = pattern.split("/").map((part) => {
    const [, param] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (param === undefined) return part;
    return Object.hasOwn(params, param) ? segmentOf(params[param as keyof typeof params]) : null;
  });
  return segments.includes(null) ? null : segments.join("/");
}

function segmentOf(value: unknown): string | null {
  if (typeof value !== "string" || !value.isWellFormed()) return null;
  return /^\.{0,2}$|[/\\]/.test(value) ? null : encodeURIComponent(value);
}

const notJson = Symbol("not JSON");

/** An action can receive more than JSON, such as maps, dates and cycles. */
function jsonOf(body: unknown): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(body));
  } catch {
    return notJson;
  }
}

/** Body checks by route. Each is compiled at its first use. */
const checks = new WeakMap<Route, BoundedValidator>();

/** The gateway would refuse the body with the same error. */
function faultIn(body: unknown, entry: Route): GatewayFailure | null {
  if (entry.body === undefined)
    return body === undefined
      ? null
      : { ...localFailure("invalid_parameter", "This call has no body."), status: 400 };
  const check = checks.get(entry) ?? compileBody(entry.body);
  checks.set(entry, check);
  // The gateway fills in defaults, so this check does not.
  if (check(structuredClone(body ?? {}))) return null;
  const { code, message, ...where } = faultOf(check.errors ?? []);
  return { ...localFailure(code, message), ...where, status: 400 };
}

function refused(code: string, message: string, status: number): GatewayResult<never> {
  return { ok: false, error: { ...localFailure(code, message), status } };
}
