import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** Headers that identify the caller. */
const ownHeaders = ["authorization", "x-api-key", "x-forwarded-for", "x-svc-account", "user-agent"];
const innerHeader = "x-svc-inner";
/** Only this process knows it, so nobody else can fake an inner request. */
const innerSecret = randomBytes(32).toString("base64url");

/**
 * Headers for `app.inject` that send an inner request as the same caller, with its key, account and address.
 */
export function asSenderOf({ headers, socket: { remoteAddress } }: FastifyRequest) {
  const own = ownHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]] as const] : []));
  return {
    headers: { ...Object.fromEntries(own), [innerHeader]: innerSecret },
    ...(remoteAddress && { remoteAddress }),
  };
}

/** Whether the gateway itself sent this request, as part of another one that passed its checks. */
export function isInner({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers[innerHeader] === innerSecret;
}
