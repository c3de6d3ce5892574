import { Deleted } from "#contract/list.ts";
import { Session, SessionCreate } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { endOwnSession } from "./end.ts";
import { openKeySession, originOf } from "./open.ts";
import { signIn } from "./sign-in.ts";

export function sessionRoutes(app: App, context: Context): void {
  app.post(
    "/account/sessions",
    {
      config: { public: true, anyAccount: true, extension: true },
      schema: { body: SessionCreate, response: { 201: Session } },
    },
    async (request, reply) => {
      const session = await signIn(context, request.body, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
  app.post(
    "/account/sessions/key",
    { config: { anyAccount: true, extension: true }, schema: { response: { 201: Session } } },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const session = await openKeySession(context, caller, originOf(request));
      return reply.code(201).header("cache-control", "no-store").send(session);
    },
  );
  app.delete(
    "/account/sessions/current",
    { config: { anyAccount: true, extension: true }, schema: { response: { 200: Deleted } } },
    async (request) => {
      const id = await endOwnSession(context, actorOf(request));
      return { id, object: "session", deleted: true as const };
    },
  );
}
