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

/** A message of the protocol or, from the steps before it, an error as everywhere. */
const RpcMessage: Schema = { description: "A JSON-RPC message, or an error as everywhere", type: "object" };
const rpcAnswers = Object.fromEntries([400, 404, 405, 406, 413, 415].map((status) => [status, RpcMessage]));

/** A refusal as the standard of authorization has it. */
const OAuthRefusal: Schema = {
  description: "A refusal, as RFC 6749 has it",
  ...Type.Object({ error: Type.String(), error_description: Type.String() }),
};
const oauthRefusals = Object.fromEntries(
  [400, 408, 413, 415, 417, 429, 500, 503].map((status) => [status, OAuthRefusal]),
);
const metadata = (summary: string): Omit<RouteDescription, "tag"> => ({
  summary,
  answers: { 200: { description: "Metadata", type: "object" } },
});

/** The routes that are not in the table, by section: the summary alone, where a route needs no more. */
const sections: Record<string, Record<string, string | Omit<RouteDescription, "tag">>> = {
  Agents: {
    "POST /mcp": {
      summary: "Call the gateway's tools by the Model Context Protocol",
      answers: {
        200: {
          description: "A message, or several as events",
          content: {
            "application/json": { schema: { type: "object" } },
            "text/event-stream": { schema: { type: "string" } },
          },
        },
        202: withoutBody("A notification was taken"),
        ...rpcAnswers,
      },
    },
    "GET /mcp": { summary: "There is no stream of its own", answers: { 405: RpcMessage } },
    "DELETE /mcp": { summary: "There is no session to end", answers: { 405: RpcMessage } },
    "GET /.well-known/oauth-protected-resource": metadata("Who issues tokens for the tools (RFC 9728)"),
    "GET /.well-known/oauth-protected-resource/mcp": metadata("The same, at the path of the tools"),
    "GET /.well-known/oauth-authorization-server": metadata(
      "What the authorization server can do (RFC 8414)",
    ),
    "GET /.well-known/oauth-authorization-server/mcp": metadata("The same, at the path of the tools"),
    "GET /.well-known/openid-configuration": metadata("The same, where some clients look"),
    "GET /.well-known/openid-configuration/mcp": metadata("The same, where some clients look"),
    "GET /mcp/.well-known/openid-configuration": metadata("The same, where some clients look"),
    "POST /oauth/token": {
      summary: "Exchange a code or a refresh token for tokens",
      answers: { 200: { description: "Tokens", type: "object" }, ...oauthRefusals },
    },
    "POST /oauth/register": {
      summary: "Register a client that has no metadata document (RFC 7591)",
      answers: { 201: { description: "The client", type: "object" }, ...oauthRefusals },
    },
    "POST /oauth/revoke": {
      summary: "Give a connection up by one of its tokens (RFC 7009)",
      answers: { 200: withoutBody("It has ended, or was none"), ...oauthRefusals },
    },
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
        503: { description: "The database does not answer, or its disk is full", ...ServiceStatus },
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
