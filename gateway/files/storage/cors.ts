import type { FastifyReply } from "fastify";

const preflightSeconds = 600;
/** Beside what browsers always let a page read. */
const readable = "content-length, content-range, content-disposition, x-request-id";

/**
 * Allows pages of any origin to use a signed URL. The URL is the only credential: no cookie and no bearer is read on
 * these routes, so a page can do no more with it than anyone who has the URL.
 */
export function allowAnyOrigin(reply: FastifyReply, more: readonly string[] = []): FastifyReply {
  return reply.headers({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": [readable, ...more].join(", "),
    "cross-origin-resource-policy": "cross-origin",
  });
}

/** Answers a preflight; `sent` and `read` are headers beside the usual ones. */
export function answerPreflight(
  reply: FastifyReply,
  methods: string,
  { sent = [], read = [] }: { sent?: readonly string[]; read?: readonly string[] } = {},
): FastifyReply {
  return allowAnyOrigin(reply, read)
    .headers({
      "access-control-allow-methods": methods,
      "access-control-allow-headers": ["content-type, range", ...sent].join(", "),
      "access-control-max-age": String(preflightSeconds),
    })
    .code(204)
    .send();
}
