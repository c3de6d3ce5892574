import { Type } from "typebox";
import {
  InvitationAccept,
  InvitationCreate,
  InvitationList,
  InvitationPreview,
  InvitationWithLink,
  LinkLookup,
} from "#contract/invitations.ts";
import { Deleted, PageQuery } from "#contract/list.ts";
import { Session } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { acceptInvitation, previewInvitation } from "./accept.ts";
import { invite, renewInvitation } from "./invite.ts";
import { listInvitations, revokeInvitation } from "./list.ts";

const IdParams = Type.Object({ id: Type.String() });

export function invitationRoutes(app: App, context: Context): void {
  const managed = { permission: "members:manage", extension: true } as const;
  const open = { public: true, extension: true } as const;

  app.post(
    "/account/invitations",
    { config: managed, schema: { body: InvitationCreate, response: { 201: InvitationWithLink } } },
    async (request, reply) => {
      const made = await invite(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).header("cache-control", "no-store").send(made);
    },
  );
  app.get(
    "/account/invitations",
    { config: managed, schema: { querystring: PageQuery, response: { 200: InvitationList } } },
    (request) => listInvitations(context, actorOf(request).accountId, request.query),
  );
  app.delete(
    "/account/invitations/:id",
    { config: managed, schema: { params: IdParams, response: { 200: Deleted } } },
    (request) => revokeInvitation(context, callerOf(request, actorOf(request)), request.params.id),
  );
  app.post(
    "/account/invitations/:id/renew",
    { config: managed, schema: { params: IdParams, response: { 200: InvitationWithLink } } },
    async (request, reply) => {
      const made = await renewInvitation(context, callerOf(request, actorOf(request)), request.params.id);
      return reply.header("cache-control", "no-store").send(made);
    },
  );

  app.post(
    "/account/invitations/lookup",
    { config: open, schema: { body: LinkLookup, response: { 200: InvitationPreview } } },
    (request) => previewInvitation(context, request.body.token, request.clientAddress),
  );
  app.post(
    "/account/invitations/accept",
    { config: open, schema: { body: InvitationAccept, response: { 201: Session } } },
    async (request, reply) => {
      const session = await acceptInvitation(context, request.body, request.actor, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
}
