import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { isAccessToken } from "#gateway/access/accounts/keys/format.ts";
import { challenge } from "#gateway/access/authorization/oauth.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { type Caller, callerOf } from "./caller.ts";

const bodyBytes = 4_000_000;

/**
 * A Model Context Protocol server at `/mcp`, for clients of the 2026 and 2025 versions. Each request is
 * independent and contains a key, whose rights apply to the tools, or the access token of a connection.
 */
export function installMcp(app: App, context: EdgesContext): void {
  const callers = new WeakMap<Request, Caller>();
  const openHandler = async () => {
    const { createMcpHandler } = await import("@modelcontextprotocol/server");
    const { toolsOf } = await import("./tools.ts");
    return createMcpHandler(
      ({ requestInfo }) => {
        const caller = requestInfo && callers.get(requestInfo);
        if (!caller) throw new Error("a request of an agent has no caller");
        return toolsOf(caller);
      },
      {
        maxSubscriptions: 0,
        onerror: (error) => context.log.debug({ err: error }, "a request of an agent failed"),
      },
    );
  };
  /**
   * Loaded for the first request: most installations have no agents, and the library is as large as the rest
   * of the HTTP code.
   */
  let handler: ReturnType<typeof openHandler> | null = null;
  app.addHook("onClose", async () => (await handler)?.close());
  const own = [context.config.publicUrl, context.config.consoleUrl].map((url) => new URL(url).origin);
  for (const method of ["POST", "GET", "DELETE"] as const)
    app.route({
      method,
      url: "/mcp",
      bodyLimit: bodyBytes,
      // A call can wait for its run, so it counts towards the limit of open event streams of its key.
      config: { extension: true, stream: true, takesBound: "mcp" },
      async onSend(request, reply) {
        if (reply.statusCode !== 401) return;
        const said = challengeOf(request, context.config);
        if (said) reply.header("www-authenticate", said);
      },
      // Any body is accepted here, because the protocol's library checks the messages.
      ...(method === "POST" && { schema: { body: Type.Unknown() } }),
      async handler(request, reply) {
        refuseStrangePages(request, own);
        const left = new AbortController();
        whenClosed(reply.raw, () => left.abort());
        const asked = requestOf(request, context.config.publicUrl, left.signal);
        callers.set(asked, callerOf(app, context, request, left.signal));
        handler ??= openHandler();
        return send(reply, await (await handler).fetch(asked, { parsedBody: request.body }));
      },
    });
}

/**
 * Only pages of the gateway, of this machine, or of an origin in the key's list may call tools. This prevents
 * DNS rebinding.
 */
function refuseStrangePages({ headers: { origin }, actor }: FastifyRequest, own: readonly string[]): void {
  if (origin === undefined || own.includes(origin) || actor?.allowedOrigins?.includes(origin)) return;
  if (/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin)) return;
  throw new ApiError(
    "origin_not_allowed",
    "Pages of this origin are not allowed to use this key. Add the origin to the key's allowed_origins.",
  );
}

/**
 * The header that tells a client without a token, or with an expired one, where to get a new one. Null for a
 * wrong account key, which gets the usual error.
 */
function challengeOf({ headers }: FastifyRequest, config: EdgesContext["config"]): string | null {
  const { authorization } = headers;
  if (authorization === undefined && headers["x-api-key"] === undefined) return challenge(config, false);
  const [, token = ""] = authorization?.trim().split(/\s+/, 2) ?? [];
  return isAccessToken(token) ? challenge(config, true) : null;
}

async function send(reply: FastifyReply, { status, headers, body }: Response): Promise<FastifyReply> {
  reply.code(status).headers(Object.fromEntries(headers));
  return body ? reply.send(Readable.fromWeb(body as ReadableStream)) : reply.send();
}

/** The request in the form of the protocol's library. */
function requestOf({ method, headers, body }: FastifyRequest, origin: string, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL("/mcp", origin), {
    method,
    headers: pairs,
    signal,
    ...(method === "POST" && { body: JSON.stringify(body ?? null) }),
  });
}
