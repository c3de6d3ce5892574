import "server-only";
import type { Route } from "#contract/routes/route.ts";
import { routes } from "#contract/routes/table.ts";

/**
 * What the browser may call through `/api/gateway`: the routes of the table with `fromBrowser`. These are
 * reads, streams, runs, the steps of an upload and of a bulk retry, saved conversations, which are too large
 * for an action, and deletions that are sent while the page is being left. Everything else is a server
 * action.
 */
const allowed = Object.entries<Route>(routes).flatMap(([name, { fromBrowser }]) => {
  const [method = "", path = ""] = name.split(" ");
  return fromBrowser ? [{ method, path, segments: path.slice(1).split("/") }] : [];
});

/** Ids, and the names of providers, which may have spaces. */
const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9._-][A-Za-z0-9 ._-]{0,127}$/;

/**
 * Whether the browser may read the route; `path` is as in the OpenAPI document, such as
 * `/v1/predictions/{id}`.
 */
export function mayRead(path: string): boolean {
  return allowed.some((route) => route.method === "GET" && `/v1${route.path}` === path);
}

/** The gateway path for decoded URL segments, or null if the browser may not call it with that method. */
export function allowedPath(method: string, segments: readonly string[]): string | null {
  if (!segments.every((segment) => segmentForm.test(segment))) return null;
  const known = allowed.some(
    (route) =>
      route.method === method &&
      route.segments.length === segments.length &&
      route.segments.every((part, index) => part.startsWith("{") || part === segments[index]),
  );
  return known ? `/${segments.map(encodeURIComponent).join("/")}` : null;
}
