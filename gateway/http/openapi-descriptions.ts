import { Type } from "typebox";
import type { ApiType } from "#contract/catalog.ts";
import type { Route, Routes } from "#contract/routes/route.ts";
import { sections as routeSections } from "#contract/routes/table.ts";

type Schema = Record<string, unknown>;

/** The title of each documented route in the API reference; a route without a line here is not documented. */
export interface RouteDescription {
  tag: string;
  summary: string;
  /** The operation kind whose catalog entries give the request body and the answers. */
  apiType?: ApiType;
  /** Answers that the route's own schema does not describe, by status. */
  answers?: Record<string, Schema>;
}

const withoutBody = (description: string): Schema => ({ type: "null", description });
const ofType = (contentType: string, description: string): Schema => ({
  description,
  content: { [contentType]: { schema: { type: "string" } } },
});
const notModified = { 304: withoutBody("The client has this version") };

const ServiceStatus = Type.Object({
  status: Type.String(),
  store: Type.Optional(Type.Literal("full", { description: "of `/readyz`: there is no room for files" })),
});

/** The routes that are not in the table, by section: the summary alone, where a route needs no more. */
const sections: Record<string, Record<string, string | Omit<RouteDescription, "tag">>> = {
  Account: {
    "GET /v1/operator/file": "Export the console's providers and routes as a providers file, without keys",
    "POST /v1/operator/file": "Take the providers and routes of a providers file into the console",
    "GET /v1/operator/accounts": "Find accounts by name, to say which may use a model",
    "GET /v1/operator/health": "Read the health of the upstreams, from the runs of the last minutes",
    "GET /v1/operator/models": "List all entries of the catalog as operators set them",
    "POST /v1/operator/models":
      "Add an entry from a template, or import a model; with `dry_run` only show what it would be",
    "GET /v1/operator/models/{namespace}/{name}": "Read an entry as operators set it",
    "PATCH /v1/operator/models/{namespace}/{name}":
      "Change an entry; of the specification's only the name and who sees it",
    "DELETE /v1/operator/models/{namespace}/{name}": "Take an operator's entry out of the catalog",
    "GET /v1/operator/models/{namespace}/{name}/revisions": "List the states that an entry had",
    "POST /v1/operator/models/{namespace}/{name}/revisions/{revision}/restore":
      "Bring an old state of an entry back, as a new revision",
    "GET /v1/operator/routes": "List the routes: which provider runs what",
    "PUT /v1/operator/routes": "Replace the console's routes",
    "POST /v1/operator/routes/map": "Map every model with an operation to one upstream model",
    "POST /v1/operator/routes/preview": "Show what a route would send, without sending it",
  },
  Operator: {
    "GET /v1/operator/changes": "List the changes of the configuration",
    "POST /v1/operator/changes/{id}/undo": "Undo a change, unless something later changed the same thing",
    "GET /v1/operator/providers": "List the providers of this installation, without their keys",
    "POST /v1/operator/providers": "Connect a provider",
    "GET /v1/operator/providers/{id}": "Read a provider, without its keys",
    "PATCH /v1/operator/providers/{id}": "Change a provider",
    "POST /v1/operator/providers/{id}/test": "Ask a provider something that costs nothing",
    "GET /v1/operator/providers/{id}/models": "List the models of a provider",
    "GET /v1/operator/provider_presets": "List the providers that can be connected in one step",
    "GET /v1/operator/local_servers": "Find model servers on this machine",
    "DELETE /v1/operator/providers/{id}":
      "Take a provider out of use; it goes when its running predictions have ended",
  },
  Service: {
    "GET /v1/openapi.json": {
      summary: "This document",
      answers: { 200: { description: "OpenAPI 3.1", type: "object" }, ...notModified },
    },
    "GET /healthz": {
      summary: "Whether the process answers",
      answers: { 200: { description: "It does", ...ServiceStatus } },
    },
    "GET /readyz": {
      summary: "Whether the database answers too",
      answers: {
        200: { description: "It does", ...ServiceStatus },
        503: { description: "The database does not answer", ...ServiceStatus },
      },
    },
    "GET /metrics": {
      summary: "Metrics for Prometheus, with METRICS_TOKEN as the bearer",
      answers: { 200: ofType("text/plain", "Prometheus' text form") },
    },
  },
};

/** The documented parameters in place of a route's `*`. */
export const wildcardParams: Record<string, string[]> = Object.fromEntries(
  Object.values<Routes>(routeSections).flatMap((routes) =>
    (Object.entries(routes) as [string, Route][]).flatMap(([name, { matches }]) =>
      matches ? [[`/v1${matches}`, [...name.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param)]] : [],
    ),
  ),
);

const table = Object.entries<Routes>(routeSections).flatMap(([tag, routes]) =>
  (Object.entries(routes) as [string, Route][]).map(([name, { summary, otherAnswers, operation }]) => [
    name.replace(" ", " /v1"),
    {
      tag,
      summary,
      ...(operation && operation !== "any" && { apiType: operation }),
      ...(otherAnswers && { answers: otherAnswers }),
    },
  ]),
);

export const routeDescriptions: Record<string, RouteDescription> = {
  ...Object.fromEntries(table),
  ...Object.fromEntries(
    Object.entries(sections).flatMap(([tag, routes]) =>
      Object.entries(routes).map(([route, described]) => [
        route,
        typeof described === "string" ? { tag, summary: described } : { tag, ...described },
      ]),
    ),
  ),
};
