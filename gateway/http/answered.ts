import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "./app.ts";
import { whenClosed } from "./when-closed.ts";

/** What nginx made the usual status of a request whose client left before its answer began. */
const clientLeft = 499;

export interface Answered {
  request: FastifyRequest;
  status: number;
  /** Since the request came, in milliseconds. */
  ms: number;
}

/** Tells of every request when it is over, also of one whose client did not wait: `onResponse` does not. */
export function whenAnswered(app: App, tell: (answered: Answered) => void): void {
  app.addHook("onRequest", (request, reply, done) => {
    whenClosed(reply.raw, () => tell({ request, status: statusOf(reply), ms: reply.elapsedTime }));
    done();
  });
}

function statusOf(reply: FastifyReply): number {
  return reply.raw.headersSent ? reply.raw.statusCode : clientLeft;
}
