import { Type } from "typebox";
import { Attestation, AttestationCreate, AttestationList } from "#contract/attestations.ts";
import { Deleted, PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { attest } from "./attest.ts";
import { listAttestations } from "./list.ts";
import { withdrawAttestation } from "./withdraw.ts";

export function attestationRoutes(app: App, context: Context): void {
  app.get(
    "/account/attestations",
    {
      config: { permission: "attestations:read", extension: true },
      schema: { querystring: PageQuery, response: { 200: AttestationList } },
    },
    (request) => listAttestations(context, actorOf(request), request.query),
  );
  app.post(
    "/account/attestations",
    {
      config: { permission: "attestations:make", extension: true },
      schema: { body: AttestationCreate, response: { 201: Attestation } },
    },
    async (request, reply) =>
      reply.code(201).send(await attest(context, callerOf(request, actorOf(request)), request.body)),
  );
  app.delete(
    "/account/attestations/:kind",
    {
      config: { permission: "attestations:make", extension: true },
      schema: {
        params: Type.Object({ kind: Type.String({ description: "its kind, or its id" }) }),
        response: { 200: Deleted },
      },
    },
    (request) => withdrawAttestation(context, callerOf(request, actorOf(request)), request.params.kind),
  );
}
