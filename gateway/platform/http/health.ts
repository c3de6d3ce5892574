import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { BaseContext } from "#gateway/context.ts";
import type { App } from "./app.ts";
import { databaseRetrySeconds } from "./errors.ts";

/**
 * Load balancers that called `/readyz` within this time must learn that the process stops, so that they send
 * it no more requests.
 */
const proberMs = 30_000;
const noticeTimes = 3;
/** Load balancers get this part of the drain time to notice that the process stops. */
const noticePart = 1 / 3;

/**
 * `/healthz`: the process answers. `/readyz`: it accepts requests, and its database accepts writes; `store`
 * reports a lack of room for files.
 */
export function healthRoutes(app: App, context: BaseContext): void {
  const probers = new Probers(Math.ceil(noticeTimes / context.config.processes));
  const config = { public: true, healthCheck: true };
  app.decorate("leaveLoadBalancers", () => probers.haveNoticed(context.config.drainMs * noticePart));
  app.get("/healthz", { config }, async () => ({ status: "ok" }));
  app.get("/readyz", { config }, async (request, reply) => {
    probers.asked(request.socket.remoteAddress ?? "", context.drain.isBegun);
    if (context.drain.isBegun) return notReady(reply).send({ status: "stopping" });
    const { database } = context;
    if (!(await database.isReady()))
      return notReady(reply).send({
        status: database.diskFullSince ? "database disk full" : "database unavailable",
      });
    // The process stays ready when the store is full: operations that return text still work, and the other
    // processes use the same store.
    return reply.send({ status: "ok", ...(context.storeRoom.fullSince && { store: "full" }) });
  });
}

function notReady(reply: FastifyReply): FastifyReply {
  return reply.code(503).header("retry-after", String(databaseRetrySeconds));
}

/** The clients of `/readyz`: until they know that this process is stopping, its port must stay open. */
class Probers {
  private readonly known = new Map<string, { askedAt: number; told: number }>();
  private readonly noticeTimes: number;

  constructor(noticeTimes: number) {
    this.noticeTimes = noticeTimes;
  }

  asked(address: string, isLeaving: boolean): void {
    const told = isLeaving ? (this.known.get(address)?.told ?? 0) + 1 : 0;
    this.known.set(address, { askedAt: performance.now(), told });
  }

  /** Resolves once all of these clients have seen that `/readyz` says no, or after `limitMs`. */
  async haveNoticed(limitMs: number): Promise<void> {
    const now = performance.now();
    for (const [address, { askedAt }] of this.known) if (now - askedAt > proberMs) this.known.delete(address);
    const isOneLeft = () => [...this.known.values()].some(({ told }) => told < this.noticeTimes);
    while (performance.now() - now < limitMs && isOneLeft()) await sleep(50);
  }
}

declare module "fastify" {
  interface FastifyInstance {
    /** Keeps the port open until load balancers have noticed that `/readyz` says no. */
    leaveLoadBalancers(): Promise<void>;
  }
}
