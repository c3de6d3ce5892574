import { Type } from "typebox";
import { Deleted, NoQuery } from "#contract/list.ts";
import { Member, MemberList, MemberUpdate } from "#contract/members.ts";
import { PasswordReset } from "#contract/passwords.ts";
import { SessionList, SessionsEnded } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { createReset } from "../passwords/create-reset.ts";
import { endMemberSessions } from "../sessions/end.ts";
import { listMemberSessions } from "../sessions/list.ts";
import { listMembers } from "./list.ts";
import { removeMember } from "./remove.ts";
import { updateMember } from "./update.ts";

const UserParams = Type.Object({ user_id: Type.String() });

export function memberRoutes(app: App, context: Context): void {
  app.get(
    "/account/members",
    {
      config: { permission: "members:read", extension: true },
      schema: { querystring: NoQuery, response: { 200: MemberList } },
    },
    async (request) => ({
      object: "list" as const,
      data: await listMembers(context, actorOf(request)),
    }),
  );
  app.patch(
    "/account/members/:user_id",
    {
      config: { permission: "members:manage", extension: true },
      schema: { params: UserParams, body: MemberUpdate, response: { 200: Member } },
    },
    (request) =>
      updateMember(context, callerOf(request, actorOf(request)), request.params.user_id, request.body),
  );
  app.delete(
    "/account/members/:user_id",
    {
      config: { permission: "members:manage", orOneself: "user_id", extension: true },
      schema: { params: UserParams, response: { 200: Deleted } },
    },
    (request) => removeMember(context, callerOf(request, actorOf(request)), request.params.user_id),
  );
  app.post(
    "/account/members/:user_id/reset",
    {
      config: { permission: "members:manage", extension: true },
      schema: { params: UserParams, response: { 201: PasswordReset } },
    },
    async (request, reply) => {
      const reset = await createReset(context, callerOf(request, actorOf(request)), request.params.user_id);
      return reply.code(201).header("cache-control", "no-store").send(reset);
    },
  );
  app.get(
    "/account/members/:user_id/sessions",
    {
      config: { permission: "members:manage", orOneself: "user_id", extension: true },
      schema: { params: UserParams, querystring: NoQuery, response: { 200: SessionList } },
    },
    async (request) => ({
      object: "list" as const,
      data: await listMemberSessions(context, actorOf(request), request.params.user_id),
    }),
  );
  app.delete(
    "/account/members/:user_id/sessions",
    {
      config: { permission: "members:manage", orOneself: "user_id", extension: true },
      schema: { params: UserParams, response: { 200: SessionsEnded } },
    },
    async (request) => ({
      object: "sessions" as const,
      ended: await endMemberSessions(context, callerOf(request, actorOf(request)), request.params.user_id),
    }),
  );
}
