import type { FastifyReply } from "fastify";

const preflightSeconds = 600;

/**
 * Allows pages of any origin to use a signed URL. The URL is the only credential: no cookie and no bearer is read on
 * these routes, so a page can do no more with it than anyone who has the URL.
 */
export function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply.headers({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "content-length, content-range, content-disposition, x-request-id",
    "cross-origin-resource-policy": "cross-origin",
  });
}

/** Answers a preflight. */
export function answerPreflight(reply: FastifyReply, methods: string): FastifyReply {
  return allowAnyOrigin(reply)
    .headers({
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "content-type, range",
      "access-control-max-age": String(preflightSeconds),
    })
    .code(204)
    .send();
}
