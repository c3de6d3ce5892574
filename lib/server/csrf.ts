import "server-only";
import type { ErrorBody } from "#contract/error.ts";
import { env } from "./env.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request that changes something comes from a page of this console. Next checks this only for
 * server actions. A route handler would accept a POST from any site with the visitor's cookie.
 */
export function isSameOrigin(request: Request): boolean {
  if (safeMethods.has(request.method)) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (!origin || !URL.canParse(origin)) return false;
  const host = request.headers.get("host");
  return new URL(origin).host === host || new URL(origin).origin === new URL(env.consoleUrl).origin;
}

/** Headers of every answer: it is for one signed-in browser, and compression must not delay streams. */
export const cachePolicy = "private, no-store, no-transform";

/** An error of the console itself, in the format of the gateway's errors. */
export function refusal(status: number, code: string, message: string): Response {
  const body: ErrorBody = { error: { message, type: "console_error", code, param: null, request_id: null } };
  return Response.json(body, { status, headers: { "cache-control": cachePolicy } });
}

export function crossSiteRefusal(): Response {
  return refusal(403, "cross_site_request", "Only pages of this console may call this route.");
}
