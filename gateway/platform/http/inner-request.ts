import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** Headers that identify the caller or describe its requests. */
const ownHeaders = [
  ...["authorization", "x-api-key", "x-forwarded-for", "x-svc-account", "user-agent"],
  "x-svc-metadata",
];
const innerHeader = "x-svc-inner";
/** Carries the trace position of the request that caused an inner request. */
const traceHeader = "x-svc-inner-trace";
/** Only this process knows it, so nobody else can fake an inner request. */
const innerSecret = randomBytes(32).toString("base64url");

/**
 * Headers for `app.inject` that send an inner request on behalf of the same caller: with the key, account,
 * address, metadata and trace of the outer request.
 */
export function asSenderOf({ headers, socket: { remoteAddress }, trace }: FastifyRequest) {
  const own = ownHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]] as const] : []));
  return {
    headers: {
      ...Object.fromEntries(own),
      [innerHeader]: innerSecret,
      ...(trace && { [traceHeader]: trace.position() ?? "" }),
    },
    ...(remoteAddress && { remoteAddress }),
  };
}

/** Whether the gateway itself sent this request, as part of another request that passed all checks. */
export function isInner({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers[innerHeader] === innerSecret;
}

/** The place in the trace of the request that caused this one; null if a client sent it, or nothing is traced. */
export function causeOf(request: Pick<FastifyRequest, "headers">): string | null {
  return isInner(request) ? String(request.headers[traceHeader] ?? "") || null : null;
}
