import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorCatalogue } from "#contract/error.ts";
import type { App } from "./app.ts";

/** nginx's status for a request whose client disconnected before the answer began. */
const leftStatus = 499;

/** What waits for the end of an answer. One listener runs it all, because each further one costs as much again. */
const waiting = Symbol("waiting");
type Watched = ServerResponse & { [waiting]?: (() => void)[] };

/**
 * Calls `then` once, when the answer has been sent or its client has disconnected; at once if that has
 * already happened, e.g. while the request waited for the database. `close` is emitted only once, and later
 * listeners would miss it.
 */
export function whenClosed(answer: Watched, then: () => void): void {
  const known = answer[waiting];
  if (answer.destroyed) then();
  else if (known) known.push(then);
  else {
    const all = [then];
    answer[waiting] = all;
    answer.once("close", () => {
      for (const one of all) one();
    });
  }
}

/** Aborts when the client disconnects before its answer has ended: then nobody waits for the work any more. */
export function clientLeft(answer: ServerResponse): AbortSignal {
  const left = new AbortController();
  whenClosed(answer, () => {
    if (!answer.writableFinished) left.abort();
  });
  return left.signal;
}

export interface Answered {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The final status: a stream that failed after its 200 has the status of its error. */
  status: number;
  /** Milliseconds since the request arrived. */
  ms: number;
}

type Tell = (answered: Answered) => void;

const told = new WeakMap<App, Tell[]>();

/**
 * Reports every request at its end, even if its client disconnected, which `onResponse` does not do. One
 * listener serves all callers, in the order of their calls.
 */
export function whenAnswered(app: App, tell: Tell): void {
  const known = told.get(app);
  if (known) {
    known.push(tell);
    return;
  }
  const all = [tell];
  told.set(app, all);
  app.addHook("onRequest", (request, reply, done) => {
    whenClosed(reply.raw, () => {
      const answered = { request, reply, status: statusOf(request, reply), ms: reply.elapsedTime };
      for (const one of all) one(answered);
    });
    done();
  });
}

function statusOf({ failure }: FastifyRequest, reply: FastifyReply): number {
  if (!reply.raw.headersSent) return leftStatus;
  return failure === null ? reply.raw.statusCode : errorCatalogue[failure.code].status;
}
