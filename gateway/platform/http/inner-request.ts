import { randomUUID } from "node:crypto";
import type { FastifyRequest, InjectOptions } from "fastify";
import { clientRequestIdHeader, keepContentsHeader } from "#contract/usage.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import type { App } from "./app.ts";
import { sessionHeaders } from "./session-headers.ts";
import { whenClosed } from "./when-closed.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What came with it if the gateway itself sent it, as part of another request; null for a client's. */
    inner: Inner | null;
  }
}

export interface Inner {
  /** The place in the trace of the request that caused this one; null if nothing is traced. */
  trace: string | null;
  /** Aborts when the caller of the outer request has left. */
  left: AbortSignal;
  /** What the sender keeps for the request. */
  kept?: unknown;
  /** Who asks, in place of a credential. Such a request is neither limited nor logged, because its sender is. */
  actor?: Actor;
}

/** Headers that identify the caller or describe its requests. */
const ownHeaders = [
  ...["authorization", "x-api-key", "x-forwarded-for", "x-svc-account", "user-agent"],
  "x-svc-metadata",
  "x-svc-provider",
  keepContentsHeader,
  clientRequestIdHeader,
  ...sessionHeaders,
];
/** Names an inner request. Only this process knows the name, and it is good for one request. */
const innerHeader = "x-svc-inner";
const sent = new Map<string, Inner>();

type Sent = InjectOptions & Omit<Inner, "trace">;

/**
 * Sends an inner request on behalf of the same caller: with the key, account, address, metadata and trace of
 * the outer request `by`. When the caller has left, it ends as a request whose client has disconnected.
 */
export async function sendInner(app: App, by: FastifyRequest, { left, kept, ...options }: Sent) {
  const { headers, trace } = by;
  const { remoteAddress } = by.socket;
  const own = ownHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]] as const] : []));
  const id = randomUUID();
  sent.set(id, { trace: trace?.position() ?? null, left, kept });
  try {
    return await app.inject({
      ...options,
      ...(remoteAddress && { remoteAddress }),
      headers: { ...Object.fromEntries(own), ...options.headers, [innerHeader]: id },
    });
  } finally {
    sent.delete(id);
  }
}

/** Sends a GET of the API as this actor. */
export async function askAs(app: App, actor: Actor, url: string, left: AbortSignal) {
  const id = randomUUID();
  sent.set(id, { trace: null, left, actor });
  try {
    return await app.inject({ url, headers: { [innerHeader]: id } });
  } finally {
    sent.delete(id);
  }
}

/** Recognizes inner requests, before anything that may ask for `request.inner`. */
export function installInner(app: App): void {
  app.decorateRequest("inner", null);
  app.addHook("onRequest", (request, { raw }, done) => {
    const id = request.headers[innerHeader];
    if (id === undefined) return done();
    const inner = sent.get(String(id)) ?? null;
    request.inner = inner;
    if (inner) {
      sent.delete(String(id));
      // Such an answer has no connection of its own that could close.
      const leave = () => raw.destroy();
      inner.left.addEventListener("abort", leave);
      whenClosed(raw, () => inner.left.removeEventListener("abort", leave));
      if (inner.left.aborted) leave();
    }
    done();
  });
}
