import type { FastifyReply, FastifyRequest } from "fastify";
import { accountHeader, clientAddressHeader } from "#contract/client-address.ts";
import { changeHeader } from "#contract/operator/constants.ts";
import { clientRequestIdHeader, keepContentsHeader } from "#contract/usage.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { readClientAddress } from "#gateway/platform/core/trusted-proxies.ts";
import { plainAddress } from "#gateway/platform/network/address-rules.ts";
import { quietHeader } from "#gateway/platform/network/quiet.ts";
import type { App } from "./app.ts";
import { affinityHeader } from "./session-headers.ts";

/** The paths that pages of other origins can call: the API, and the tools for agents. */
const prefixes = ["/v1/", "/mcp"];
const preflightSeconds = 600;
const methods = "GET, HEAD, POST, PATCH, PUT, DELETE";
/** Request headers of clients, besides those that browsers always allow. */
const requestHeaders = [
  "authorization",
  "x-api-key",
  "content-type",
  "idempotency-key",
  "prefer",
  "last-event-id",
  accountHeader,
  "x-svc-metadata",
  "x-svc-provider",
  keepContentsHeader,
  clientRequestIdHeader,
  affinityHeader,
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "anthropic-version",
  "anthropic-beta",
  "anthropic-dangerous-direct-browser-access",
  "openai-organization",
  "openai-project",
  "openai-beta",
];
/** OpenAI's clients and others describe themselves in headers whose names match this. */
const describing = /^(?:x-stainless|x-fern|x-client|user-agent)[a-z-]{0,40}$/;
/** Answer headers that a page is allowed to read. */
const answerHeaders = [
  "x-request-id",
  quietHeader,
  "request-id",
  "retry-after",
  "etag",
  "location",
  "idempotent-replayed",
  "ratelimit",
  "ratelimit-policy",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "x-ratelimit-limit-tokens",
  "x-ratelimit-remaining-tokens",
  "x-ratelimit-reset-tokens",
  "anthropic-ratelimit-tokens-limit",
  "anthropic-ratelimit-tokens-remaining",
  "anthropic-ratelimit-tokens-reset",
  changeHeader,
  "x-svc-generation-id",
  "x-svc-region",
  "x-svc-cost",
  "x-svc-alias",
  "x-svc-model",
  "x-svc-sandbox",
  "x-svc-ignored-params",
].join(", ");

/**
 * Lets pages use a key from the key's allowed origins. A preflight has no key, so it is allowed for the
 * origins of all keys, without revealing which key lists one; the request itself is refused before anything
 * runs unless its own key allows the origin. Call this before authentication.
 */
export function installCrossOrigin(app: App, origins: { has(origin: string): Promise<boolean> }): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !prefixes.some((prefix) => request.url.startsWith(prefix))) return done();
    if (request.routeOptions.config.ownCredential) return done();
    origins.has(origin).then((isKnown) => {
      if (isKnown) allow(reply, origin);
      const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"];
      if (isKnown && isPreflight) answerPreflight(request, reply);
      else done();
    }, done);
  });
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = String(headers["access-control-request-headers"] ?? "")
    .toLowerCase()
    .split(",", 100)
    .map((name) => name.trim());
  reply.headers({
    "access-control-allow-methods": methods,
    "access-control-allow-headers": [
      ...requestHeaders,
      ...asked.filter((name) => describing.test(name)),
    ].join(", "),
    "access-control-max-age": String(preflightSeconds),
  });
  reply.code(204).send();
}

/** Refuses a key that lists origins if it is used from another one. Call it after authentication. */
export function installOriginCheck(app: App): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    const { actor } = request;
    if (origin === undefined || !actor) return done();
    const allowed = actor.allowedOrigins ?? null;
    if (allowed === null) {
      // Another key lists this origin, but this key is not for browsers.
      for (const name of corsHeaders) reply.removeHeader(name);
      return done();
    }
    if (allowed.includes(origin)) return done();
    done(
      new ApiError(
        "origin_not_allowed",
        "Pages of this origin are not allowed to use this key. Add the origin to the key's allowed_origins.",
      ),
    );
  });
}

const corsHeaders = ["access-control-allow-origin", "access-control-expose-headers"];

function allow(reply: FastifyReply, origin: string): void {
  reply.headers({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": answerHeaders,
    vary: "Origin",
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** The client's IP address: the browser's if the console passes it on, otherwise the connection's. */
    clientAddress: string;
  }
}

/**
 * Determines the client's IP address. An address from the console is signed; `X-Forwarded-For` counts only
 * from the proxies of TRUST_PROXY.
 */
export function installClientAddress(app: App, { config }: PlatformContext): void {
  app.decorateRequest("clientAddress", "");
  app.addHook("onRequest", (request, _reply, done) => {
    const signed = request.headers[clientAddressHeader];
    const passedOn = typeof signed === "string" ? readClientAddress(config.consoleSecrets, signed) : null;
    const { remoteAddress = "" } = request.socket;
    const forwardedFor = request.headers["x-forwarded-for"]?.toString();
    request.clientAddress = plainAddress(
      passedOn ?? config.trustProxy.clientAddress(remoteAddress, forwardedFor),
    );
    done();
  });
}

/**
 * With GATEWAY_EXTENSIONS=off, routes that the specification does not list answer 404, except those for
 * signing in and attesting: the specification lets gated models run only after that.
 */
export function installExtensionSwitch(app: App, context: PlatformContext): void {
  if (context.config.extensions) return;
  app.addHook("onRequest", async (request) => {
    const { extension, neededToAttest } = request.routeOptions.config;
    if (extension && !neededToAttest)
      throw new ApiError("route_not_found", `There is no ${request.method} ${request.url.split("?")[0]}.`);
  });
}
