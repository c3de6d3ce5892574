import { sessionRoutes } from "#contract/accounts/sessions.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { endCurrentSession, endOtherSessions, endSession, streamSessionEnd } from "./end.ts";
import { listSessions } from "./list.ts";
import { openKeySession, originOf } from "./open.ts";
import { signIn } from "./sign-in.ts";

export function installSessions(app: App, context: BaseContext): void {
  serve(app, context, sessionRoutes, {
    "POST /account/sessions": async (request, reply) => {
      const session = await signIn(context, request.body, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
    "POST /account/sessions/key": async (request, reply) => {
      const caller = request.caller;
      const session = await openKeySession(context, caller, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
    "DELETE /account/sessions/current": async (request) => {
      const id = await endCurrentSession(context, actorOf(request));
      return { id, object: "session", deleted: true as const };
    },
    "GET /account/sessions/current/events": (request, reply) =>
      streamSessionEnd(context, reply, actorOf(request)),
    "GET /account/sessions": async (request) => {
      const actor = actorOf(request);
      return { object: "list" as const, data: await listSessions(context, actor, actor.id) };
    },
    "DELETE /account/sessions": async (request) => ({
      object: "sessions" as const,
      ended: await endOtherSessions(context, request.caller),
    }),
    "DELETE /account/sessions/{id}": async (request) => {
      const { id } = request.params;
      await endSession(context, request.caller, id);
      return { id, object: "session", deleted: true as const };
    },
  });
}
