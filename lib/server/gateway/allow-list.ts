import "server-only";
import type { Route } from "#contract/routes/route.ts";
import { routes } from "#contract/routes/table.ts";

/**
 * The calls that the browser may make through `/api/gateway`: the routes of the table with `fromBrowser`.
 * These are reads, streams, runs, the steps of an upload and of a bulk retry, saved conversations, which are
 * too large for an action, and deletions that are sent while the user leaves the page. All other calls are
 * server actions.
 */
const allowed = Object.entries<Route>(routes).flatMap(([name, { fromBrowser }]) => {
  const [method = "", path = ""] = name.split(" ");
  return fromBrowser ? [{ method, path, segments: path.slice(1).split("/") }] : [];
});

/** Ids, and names of providers, which may have spaces. */
const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9._-][A-Za-z0-9 ._-]{0,127}$/;

/**
 * Whether the browser may read the route. `path` has the form of the OpenAPI document, such as
 * `/v1/predictions/{id}`.
 */
export function mayRead(path: string): boolean {
  return allowed.some((route) => route.method === "GET" && `/v1${route.path}` === path);
}

/** The gateway's path for decoded URL segments. Null if the browser may not call it with this method. */
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
