import {
  Account,
  AccountMemberships,
  AccountUpdate,
  History,
  SetupCreate,
  SetupState,
} from "#contract/account.ts";
import { AuditList, AuditQuery } from "#contract/audit.ts";
import { NoQuery } from "#contract/list.ts";
import { Profile, ProfileUpdate } from "#contract/profile.ts";
import { Session } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import { historyBytes } from "#gateway/database/history.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { attestationRoutes } from "./attestations/routes.ts";
import { callerOf } from "./audit.ts";
import { deletionRoutes } from "./deletion/routes.ts";
import { invitationRoutes } from "./invitations/routes.ts";
import { keyRoutes } from "./keys/routes.ts";
import { listAuditLogs } from "./list-audit-logs.ts";
import { memberRoutes } from "./members/routes.ts";
import { oidcRoutes } from "./oidc/routes.ts";
import { passwordRoutes } from "./passwords/routes.ts";
import { readProfile, updateAccount, updateProfile } from "./profile.ts";
import { accountOf, accountsOfUser } from "./read-account.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
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
      config: { public: true, extension: true },
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
      config: { public: true, extension: true },
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
  app.patch(
    "/account",
    {
      config: { permission: "account:manage", extension: true },
      schema: { body: AccountUpdate, response: { 200: Account } },
    },
    (request) => updateAccount(context, callerOf(request, actorOf(request)), request.body),
  );
  app.get(
    "/account/profile",
    { config: { person: true, anyAccount: true, extension: true }, schema: { response: { 200: Profile } } },
    (request) => readProfile(queries, actorOf(request)),
  );
  app.patch(
    "/account/profile",
    {
      config: { person: true, anyAccount: true, extension: true },
      schema: { body: ProfileUpdate, response: { 200: Profile } },
    },
    (request) => updateProfile(context, actorOf(request), request.body),
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

  deletionRoutes(app, context);
  memberRoutes(app, context);
  invitationRoutes(app, context);
  passwordRoutes(app, context);
  oidcRoutes(app, context);
  sessionRoutes(app, context);
  secondFactorRoutes(app, context);
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
