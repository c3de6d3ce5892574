import { attestationRoutes } from "#contract/routes/account.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { attest } from "./attest.ts";
import { listAttestations } from "./list.ts";
import { withdrawAttestation } from "./withdraw.ts";

export function installAttestations(app: App, context: Context): void {
  serve(app, attestationRoutes, {
    "GET /account/attestations": (request) => listAttestations(context, actorOf(request), request.query),
    "POST /account/attestations": async (request, reply) =>
      reply.code(201).send(await attest(context, callerOf(request, actorOf(request)), request.body)),
    "DELETE /account/attestations/{kind}": (request) =>
      withdrawAttestation(context, callerOf(request, actorOf(request)), request.params.kind),
  });
}
