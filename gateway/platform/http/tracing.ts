import type { Context } from "#gateway/context.ts";
import type { BegunRequest } from "#gateway/platform/telemetry/telemetry.ts";
import type { App } from "./app.ts";
import { whenAnswered } from "./when-closed.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null where it is not traced. */
    trace: BegunRequest | null;
  }
}

/** Traces each request but the checks of those who watch the gateway. What it asks for happens within its span, once its body is there. */
export function installTracing(app: App, { telemetry }: Context): void {
  if (!telemetry) return;
  app.decorateRequest("trace", null);
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config?.healthCheck) return done();
    request.trace = telemetry.request(request.headers);
    done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    request.trace?.enter();
    done();
  });
  whenAnswered(app, ({ request, status, ms }) => {
    const { actor, trace } = request;
    if (!trace) return;
    // A request that was refused before has its line in the log, too.
    trace.enter();
    trace.end({
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "unknown",
      status,
      code: request.errorCode,
      ms,
      accountId: actor?.accountId ?? null,
      keyId: actor?.kind === "key" ? actor.id : null,
      model: request.operationModel,
      alias: request.operationAlias,
      region: request.operationRegion,
    });
  });
}
