import { Account, AccountMemberships, History, SetupCreate, SetupState } from "#contract/account.ts";
import { AuditList, AuditQuery } from "#contract/audit.ts";
import { NoQuery } from "#contract/list.ts";
import { Session } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import { historyBytes } from "#gateway/database/history.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { attestationRoutes } from "./attestations/routes.ts";
import { keyRoutes } from "./keys/routes.ts";
import { listAuditLogs } from "./list-audit-logs.ts";
import { accountOf, accountsOfUser } from "./read-account.ts";
import { originOf } from "./sessions/open.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { setUp, setupNeeded } from "./setup.ts";

/** Set-up, people, their sessions, the account, its attestations, keys and audit log: all are extensions. */
export function accountRoutes(app: App, context: Context): void {
  const { queries } = context.database;

  // Public; the answer does not change once there is an account.
  let needed = true;
  app.get(
    "/account/setup",
    {
      config: { public: true, anyAccount: true, extension: true },
      schema: { response: { 200: SetupState } },
    },
    async () => {
      needed &&= await setupNeeded(queries);
      return { object: "setup" as const, needed };
    },
  );
  app.post(
    "/account/setup",
    {
      config: { public: true, anyAccount: true, extension: true },
      schema: { body: SetupCreate, response: { 201: Session } },
    },
    async (request, reply) => {
      const session = await setUp(context, request.body, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );

  app.get("/account", { config: { extension: true }, schema: { response: { 200: Account } } }, (request) =>
    accountOf(queries, actorOf(request)),
  );
  app.get(
    "/accounts",
    {
      config: { person: true, anyAccount: true, extension: true },
      schema: { querystring: NoQuery, response: { 200: AccountMemberships } },
    },
    async (request) => ({
      object: "list" as const,
      data: await accountsOfUser(queries, actorOf(request).id),
    }),
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

  sessionRoutes(app, context);
  attestationRoutes(app, context);
  keyRoutes(app, context);

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
