import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";

/** Headers that identify the caller. */
const ownHeaders = ["authorization", "x-api-key", "x-forwarded-for", "x-svc-account", "user-agent"];
const innerHeader = "x-svc-inner";
/** Known to this process alone, so that nobody else can claim to be it. */
const innerSecret = randomBytes(32).toString("base64url");

/** For `app.inject`: what makes a request that this one causes its sender's own, with its key, account and address. */
export function asSenderOf({ headers, socket: { remoteAddress } }: FastifyRequest) {
  const own = ownHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]] as const] : []));
  return {
    headers: { ...Object.fromEntries(own), [innerHeader]: innerSecret },
    ...(remoteAddress && { remoteAddress }),
  };
}

/** Whether the gateway itself sent this request, as part of another one that it has let in. */
export function isInner({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return headers[innerHeader] === innerSecret;
}
