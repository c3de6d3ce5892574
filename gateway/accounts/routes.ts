import { Type } from "typebox";
import {
  Account,
  ApiKey,
  ApiKeyCreate,
  ApiKeyList,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  Attestation,
  AttestationCreate,
  AttestationList,
  AuditList,
  AuditQuery,
  attestationKinds,
  History,
  Session,
  SessionCreate,
  SetupCreate,
  SetupState,
} from "#contract/account.ts";
import { Deleted, PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { historyBytes } from "#gateway/database/history.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce, withoutSecret } from "#gateway/http/idempotency.ts";
import { attest } from "./attestations/attest.ts";
import { listAttestations } from "./attestations/list.ts";
import { withdrawAttestation } from "./attestations/withdraw.ts";
import { callerOf } from "./audit.ts";
import { createKey } from "./keys/create.ts";
import { assertModelsExist } from "./keys/known-models.ts";
import { listKeys } from "./keys/list.ts";
import { revokeKey } from "./keys/revoke.ts";
import { rotateKey } from "./keys/rotate.ts";
import { updateKey } from "./keys/update.ts";
import { listAuditLogs } from "./list-audit-logs.ts";
import { accountOf } from "./read-account.ts";
import { setUp, setupNeeded } from "./setup.ts";
import { endSession, openKeySession, signIn } from "./sign-in.ts";

const IdParams = Type.Object({ id: Type.String() });

/** Set-up, sessions, the account, its attestations, keys and audit log: all are extensions. */
export function accountRoutes(app: App, context: Context): void {
  const { queries } = context.database;

  // Public; the answer does not change once there is an account.
  let needed = true;
  app.get(
    "/account/setup",
    { config: { public: true, extension: true }, schema: { response: { 200: SetupState } } },
    async () => {
      needed &&= await setupNeeded(queries);
      return { object: "setup" as const, needed };
    },
  );
  app.post(
    "/account/setup",
    { config: { public: true, extension: true }, schema: { body: SetupCreate, response: { 201: Session } } },
    async (request, reply) => {
      const session = await setUp(context, request.body, {
        ip: request.clientAddress,
        requestId: request.id,
      });
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
  app.post(
    "/account/sessions",
    {
      config: { public: true, extension: true },
      schema: { body: SessionCreate, response: { 201: Session } },
    },
    async (request, reply) => {
      const session = await signIn(context, request.body, {
        ip: request.clientAddress,
        requestId: request.id,
      });
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
  app.post(
    "/account/sessions/key",
    { config: { extension: true }, schema: { response: { 201: Session } } },
    async (request, reply) => {
      const session = await openKeySession(context, callerOf(request, actorOf(request)));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
  app.delete(
    "/account/sessions/current",
    { config: { extension: true }, schema: { response: { 200: Deleted } } },
    async (request) => {
      const id = await endSession(context, actorOf(request));
      return { id, object: "session", deleted: true as const };
    },
  );
  app.get("/account", { config: { extension: true }, schema: { response: { 200: Account } } }, (request) =>
    accountOf(queries, actorOf(request)),
  );

  app.get(
    "/account/history",
    { config: { permission: "audit:read", extension: true }, schema: { response: { 200: History } } },
    async () => ({
      object: "history" as const,
      days: context.history.days,
      audit_days: context.history.auditDays,
      size_bytes: await historyBytes(context.database),
    }),
  );

  app.get(
    "/account/attestations",
    {
      config: { permission: "attestations:read", extension: true },
      schema: { querystring: PageQuery, response: { 200: AttestationList } },
    },
    (request) => listAttestations(context, actorOf(request).accountId, request.query),
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
      schema: { params: Type.Object({ kind: Type.Enum(attestationKinds) }), response: { 200: Deleted } },
    },
    (request) => withdrawAttestation(context, callerOf(request, actorOf(request)), request.params.kind),
  );

  app.get(
    "/keys",
    {
      config: { permission: "keys:manage", extension: true },
      schema: { querystring: PageQuery, response: { 200: ApiKeyList } },
    },
    (request) => listKeys(context, actorOf(request).accountId, request.query),
  );
  app.post(
    "/keys",
    {
      config: { permission: "keys:manage", extension: true, idempotent: true },
      schema: { body: ApiKeyCreate, response: { 201: Type.Union([ApiKeyWithSecret, ApiKey]) } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        assertModelsExist(context.catalog, request.body.models);
        const by = { ...caller, config: context.config };
        // The transaction reads the usage of ended keys: write what this process has metered first.
        await context.meter.flush();
        const key = await context.database.transaction((tx) =>
          createKey(tx, caller.actor.accountId, request.body, by),
        );
        const headers = { location: `/v1/keys/${key.id}`, "cache-control": "no-store" };
        return { status: 201, headers, body: key };
      };
      return sendOnce(context, request, reply, caller.actor, produce, { kept: withoutSecret });
    },
  );
  app.post(
    "/keys/:id/rotate",
    {
      config: { permission: "keys:manage", extension: true },
      schema: { params: IdParams, body: ApiKeyRotate, response: { 200: ApiKeyWithSecret } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const key = await rotateKey(context, caller, request.params.id, request.body.grace_seconds ?? 0);
      return reply.header("cache-control", "no-store").send(key);
    },
  );
  app.patch(
    "/keys/:id",
    {
      config: { permission: "keys:manage", extension: true },
      schema: { params: IdParams, body: ApiKeyUpdate, response: { 200: ApiKey } },
    },
    (request) => updateKey(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  );
  app.delete(
    "/keys/:id",
    {
      config: { permission: "keys:manage", extension: true },
      schema: { params: IdParams, response: { 200: Deleted } },
    },
    (request) => revokeKey(context, callerOf(request, actorOf(request)), request.params.id),
  );

  app.get(
    "/audit_logs",
    {
      config: { permission: "audit:read", extension: true },
      schema: {
        querystring: AuditQuery,
        response: { 200: AuditList },
      },
    },
    (request) => listAuditLogs(context, actorOf(request).accountId, request.query),
  );
}
