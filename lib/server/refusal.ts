import "server-only";
import type { ErrorBody } from "#contract/error.ts";

/** Every answer is for one signed-in browser; compression must not hold back streams. */
export const cachePolicy = "private, no-store, no-transform";

/** An error of the console itself, in the format of the gateway's errors. */
export function refusal(status: number, code: string, message: string): Response {
  const body: ErrorBody = { error: { message, type: "console_error", code, param: null, request_id: null } };
  return Response.json(body, { status, headers: { "cache-control": cachePolicy } });
}

export function crossSiteRefusal(): Response {
  return refusal(403, "cross_site_request", "Only pages of this console may call this.");
}
