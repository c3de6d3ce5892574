import { eq } from "drizzle-orm";
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
  attestationKinds,
  Session,
  SessionCreate,
  SetupCreate,
  SetupState,
} from "#contract/account.ts";
import { Deleted, PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { sessions } from "#gateway/database/schema.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce, withoutSecret } from "#gateway/http/idempotency.ts";
import { attest } from "./attestations/attest.ts";
import { listAttestations } from "./attestations/list.ts";
import { withdrawAttestation } from "./attestations/withdraw.ts";
import { callerOf } from "./audit.ts";
import { createKey } from "./keys/create.ts";
import { listKeys } from "./keys/list.ts";
import { revokeKey } from "./keys/revoke.ts";
import { rotateKey } from "./keys/rotate.ts";
import { updateKey } from "./keys/update.ts";
import { listAuditLogs } from "./list-audit-logs.ts";
import { accountOf } from "./read-account.ts";
import { setUp, setupNeeded } from "./setup.ts";
import { signIn } from "./sign-in.ts";

const IdParams = Type.Object({ id: Type.String() });

/** Set-up, sessions, the account, its attestations, keys and audit log: all of them extensions. */
export function accountRoutes(app: App, context: Context): void {
  const { queries } = context.database;

  app.get(
    "/account/setup",
    { config: { public: true, extension: true }, schema: { response: { 200: SetupState } } },
    async () => ({ object: "setup" as const, needed: await setupNeeded(queries) }),
  );
  app.post(
    "/account/setup",
    { config: { public: true, extension: true }, schema: { body: SetupCreate, response: { 201: Session } } },
    async (request, reply) => {
      const session = await setUp(context, request.body, { ip: request.ip, requestId: request.id });
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
      const session = await signIn(context, request.body, { ip: request.ip, requestId: request.id });
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
  app.delete(
    "/account/sessions/current",
    { config: { session: true, extension: true }, schema: { response: { 200: Deleted } } },
    async (request) => {
      const id = actorOf(request).sessionId ?? "";
      await queries.update(sessions).set({ revokedAt: new Date() }).where(eq(sessions.id, id));
      return { id, object: "session", deleted: true as const };
    },
  );
  app.get("/account", { config: { extension: true }, schema: { response: { 200: Account } } }, (request) =>
    accountOf(queries, actorOf(request)),
  );

  app.get(
    "/account/attestations",
    { config: { extension: true }, schema: { querystring: PageQuery, response: { 200: AttestationList } } },
    (request) => listAttestations(context, actorOf(request).accountId, request.query),
  );
  app.post(
    "/account/attestations",
    {
      config: { session: true, extension: true },
      schema: { body: AttestationCreate, response: { 201: Attestation } },
    },
    async (request, reply) =>
      reply.code(201).send(await attest(context, callerOf(request, actorOf(request)), request.body)),
  );
  app.delete(
    "/account/attestations/:kind",
    {
      config: { session: true, extension: true },
      schema: { params: Type.Object({ kind: Type.Enum(attestationKinds) }), response: { 200: Deleted } },
    },
    (request) => withdrawAttestation(context, callerOf(request, actorOf(request)), request.params.kind),
  );

  app.get(
    "/keys",
    {
      config: { scope: "keys", extension: true },
      schema: { querystring: PageQuery, response: { 200: ApiKeyList } },
    },
    (request) => listKeys(context, actorOf(request).accountId, request.query),
  );
  app.post(
    "/keys",
    {
      config: { scope: "keys", extension: true, idempotent: true },
      schema: { body: ApiKeyCreate, response: { 201: ApiKeyWithSecret } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        const key = await context.database.transaction((tx) =>
          createKey(tx, caller.actor.accountId, request.body, caller),
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
      config: { scope: "keys", extension: true },
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
      config: { scope: "keys", extension: true },
      schema: { params: IdParams, body: ApiKeyUpdate, response: { 200: ApiKey } },
    },
    (request) => updateKey(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  );
  app.delete(
    "/keys/:id",
    { config: { scope: "keys", extension: true }, schema: { params: IdParams, response: { 200: Deleted } } },
    (request) => revokeKey(context, callerOf(request, actorOf(request)), request.params.id),
  );

  app.get(
    "/audit_logs",
    {
      config: { scope: "keys", extension: true },
      schema: {
        querystring: Type.Interface([PageQuery], { action: Type.Optional(Type.String()) }),
        response: { 200: AuditList },
      },
    },
    (request) => listAuditLogs(context, actorOf(request).accountId, request.query),
  );
}
