import type { FastifyRequest } from "fastify";

/** The headers by which a request is its sender's own. */
const ownHeaders = ["authorization", "x-api-key", "x-forwarded-for", "x-svc-account", "user-agent"];

/** For `app.inject`: what makes a request that this one causes its sender's own, with its key, account and address. */
export function asSenderOf({ headers, socket: { remoteAddress } }: FastifyRequest) {
  const own = ownHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]] as const] : []));
  return { headers: Object.fromEntries(own), ...(remoteAddress && { remoteAddress }) };
}
