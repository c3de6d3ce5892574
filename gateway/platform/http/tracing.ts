import type { PlatformContext } from "#gateway/platform/context.ts";
import type { BegunRequest } from "#gateway/platform/telemetry/telemetry.ts";
import type { App } from "./app.ts";
import { whenAnswered } from "./when-closed.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The request's span; null if the request is not traced. */
    trace: BegunRequest | null;
  }
}

/**
 * Traces every request except those of monitoring. Work for the request belongs to its span once the body has
 * been read.
 */
export function installTracing(app: App, { telemetry }: PlatformContext): void {
  if (!telemetry) return;
  app.decorateRequest("trace", null);
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config?.healthCheck) return done();
    request.trace = telemetry.request(request.headers, request.inner?.trace ?? null);
    done();
  });
  app.addHook("preValidation", (request, _reply, done) => {
    request.trace?.enter();
    done();
  });
  whenAnswered(app, ({ request, status, ms }) => {
    const { actor, trace } = request;
    if (!trace) return;
    // Requests that were refused earlier also need the span for their log line.
    trace.enter();
    trace.end({
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "unknown",
      status,
      code: request.failure?.code ?? null,
      ms,
      accountId: actor?.accountId ?? null,
      keyId: actor?.kind === "key" ? actor.id : null,
      model: request.operationModel,
      alias: request.operationAlias,
      region: request.operationRegion,
    });
  });
}
