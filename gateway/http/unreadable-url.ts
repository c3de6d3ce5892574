import type { FastifyReply, FastifyRequest } from "fastify";
import { toApiError } from "./errors.ts";

/** Answers a URL that the router cannot read, before any hook runs, in the shape of every other error. */
export function answerUnreadableUrl(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const apiError = toApiError(error);
  reply
    .code(apiError.status)
    .headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "x-should-retry": "false",
    })
    .send(apiError.body(request.id));
}
