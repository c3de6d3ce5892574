import "server-only";
import type { Method, Route } from "#contract/routes/route.ts";
import { routes } from "#contract/routes/table.ts";

/**
 * What the browser may reach through `/api/gateway`: reads, streams, runs, the steps of an upload and of a bulk retry, and
 * deletions that are sent while the page is being left. All else is done by a server action.
 */
const allowed: Record<string, readonly Method[]> = {
  "/operator/health": ["GET"],
  "/operator/accounts": ["GET"],
  "/operator/providers/:id/models": ["GET"],
};

/** The routes of the table that say so. */
for (const [name, { fromBrowser }] of Object.entries<Route>(routes)) {
  const [method = "", path = ""] = name.split(" ");
  const pattern = path.replace(/\{(\w+)\}/g, ":$1");
  if (fromBrowser) allowed[pattern] = [...(allowed[pattern] ?? []), method as Method];
}

const patterns = Object.entries(allowed).map(([pattern, methods]) => ({
  segments: pattern.slice(1).split("/"),
  methods: new Set<string>(methods),
}));

/** Ids, and the names of providers, which may have spaces. */
const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9._-][A-Za-z0-9 ._-]{0,127}$/;

/** Whether the browser may read the route; `path` is the document's, such as `/v1/predictions/{id}`. */
export function mayRead(path: string): boolean {
  const pattern = path.replace(/^\/v1/, "").replace(/\{(\w+)\}/g, ":$1");
  return allowed[pattern]?.includes("GET") ?? false;
}

/** The gateway path for decoded URL segments, or null when the browser may not call it with that method. */
export function allowedPath(method: string, segments: readonly string[]): string | null {
  if (!segments.every((segment) => segmentForm.test(segment))) return null;
  const known = patterns.some(
    (pattern) =>
      pattern.methods.has(method) &&
      pattern.segments.length === segments.length &&
      pattern.segments.every((part, index) => part.startsWith(":") || part === segments[index]),
  );
  return known ? `/${segments.map(encodeURIComponent).join("/")}` : null;
}
