import { memberRoutes } from "#contract/routes/team.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { createReset } from "../passwords/create-reset.ts";
import { endMemberSessions } from "../sessions/end.ts";
import { listMemberSessions } from "../sessions/list.ts";
import { listMembers } from "./list.ts";
import { removeMember } from "./remove.ts";
import { updateMember } from "./update.ts";

export function installMembers(app: App, context: Context): void {
  serve(app, memberRoutes, {
    "GET /account/members": async (request) => ({
      object: "list" as const,
      data: await listMembers(context, actorOf(request)),
    }),
    "PATCH /account/members/{user_id}": (request) =>
      updateMember(context, callerOf(request, actorOf(request)), request.params.user_id, request.body),
    "DELETE /account/members/{user_id}": (request) =>
      removeMember(context, callerOf(request, actorOf(request)), request.params.user_id),
    "POST /account/members/{user_id}/reset": async (request, reply) => {
      const reset = await createReset(context, callerOf(request, actorOf(request)), request.params.user_id);
      return reply.code(201).header("cache-control", "no-store").send(reset);
    },
    "GET /account/members/{user_id}/sessions": async (request) => ({
      object: "list" as const,
      data: await listMemberSessions(context, actorOf(request), request.params.user_id),
    }),
    "DELETE /account/members/{user_id}/sessions": async (request) => ({
      object: "sessions" as const,
      ended: await endMemberSessions(context, callerOf(request, actorOf(request)), request.params.user_id),
    }),
  });
}
