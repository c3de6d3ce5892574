import "server-only";
import { env } from "./env.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a changing request comes from a page of this console. Next checks that only for server actions; a
 * route handler would accept any site's POST with the visitor's cookie.
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
