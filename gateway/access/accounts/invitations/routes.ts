import { invitationRoutes } from "#contract/routes/team.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { acceptInvitation, previewInvitation } from "./accept.ts";
import { invite, renewInvitation } from "./invite.ts";
import { listInvitations, revokeInvitation } from "./list.ts";

export function installInvitations(app: App, context: Context): void {
  serve(app, invitationRoutes, {
    "POST /account/invitations": async (request, reply) => {
      const made = await invite(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).header("cache-control", "no-store").send(made);
    },
    "GET /account/invitations": (request) =>
      listInvitations(context, actorOf(request).accountId, request.query),
    "DELETE /account/invitations/{id}": (request) =>
      revokeInvitation(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /account/invitations/{id}/renew": async (request, reply) => {
      const made = await renewInvitation(context, callerOf(request, actorOf(request)), request.params.id);
      return reply.header("cache-control", "no-store").send(made);
    },
    "POST /account/invitations/lookup": (request) =>
      previewInvitation(context, request.body.token, request.clientAddress),
    "POST /account/invitations/accept": async (request, reply) => {
      const session = await acceptInvitation(context, request.body, request.actor, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  });
}
