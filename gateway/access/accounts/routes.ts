import { accountRoutes } from "#contract/routes/account.ts";
import type { Context } from "#gateway/context.ts";
import { historyBytes } from "#gateway/platform/database/history.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { installAttestations } from "./attestations/routes.ts";
import { callerOf } from "./audit.ts";
import { installAccountBudgets } from "./budgets/routes.ts";
import { installDeletion } from "./deletion/routes.ts";
import { installEmailChange } from "./email/routes.ts";
import { installInvitations } from "./invitations/routes.ts";
import { installKeys } from "./keys/routes.ts";
import { listAuditLogs } from "./list-audit-logs.ts";
import { installMembers } from "./members/routes.ts";
import { installOidc } from "./oidc/routes.ts";
import { installPasswords } from "./passwords/routes.ts";
import { readProfile, updateAccount, updateProfile } from "./profile.ts";
import { accountOf, accountsOfUser } from "./read-account.ts";
import { installSecondFactor } from "./second-factor/routes.ts";
import { originOf } from "./sessions/open.ts";
import { installSessions } from "./sessions/routes.ts";
import { setUp, setupNeeded } from "./setup.ts";

/** Set-up, people, their sessions, the account, its attestations, keys and audit log: all are extensions. */
export function installAccounts(app: App, context: Context): void {
  const { queries } = context.database;

  // Public; the answer does not change once there is an account.
  let needed = true;
  serve(app, accountRoutes, {
    "GET /account/setup": async () => {
      needed &&= await setupNeeded(queries);
      return { object: "setup" as const, needed, email: context.config.smtp !== null };
    },
    "POST /account/setup": async (request, reply) => {
      const session = await setUp(context, request.body, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
    "GET /account": async (request) => ({
      ...(await accountOf(queries, actorOf(request))),
      keeps_outputs: context.config.keepOutputs,
      extensions: context.config.extensions,
    }),
    "PATCH /account": (request) => updateAccount(context, callerOf(request, actorOf(request)), request.body),
    "GET /account/profile": (request) => readProfile(queries, actorOf(request)),
    "PATCH /account/profile": (request) => updateProfile(context, actorOf(request), request.body),
    "GET /accounts": async (request) => ({
      object: "list" as const,
      data: await accountsOfUser(queries, actorOf(request).id),
    }),
    "GET /account/history": async () => ({
      object: "history" as const,
      days: context.history.days,
      audit_days: context.history.auditDays,
      size_bytes: await historyBytes(context.database),
    }),
    "GET /audit_logs": (request) => listAuditLogs(context, actorOf(request).accountId, request.query),
  });

  installAccountBudgets(app, context);
  installDeletion(app, context);
  installMembers(app, context);
  installInvitations(app, context);
  installPasswords(app, context);
  installEmailChange(app, context);
  installOidc(app, context);
  installSessions(app, context);
  installSecondFactor(app, context);
  installAttestations(app, context);
  installKeys(app, context);
}
