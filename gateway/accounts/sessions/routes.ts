import { Type } from "typebox";
import { Deleted, NoQuery } from "#contract/list.ts";
import { Session, SessionCreate, SessionList, SessionsEnded } from "#contract/sessions.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { endCurrentSession, endOtherSessions, endSession } from "./end.ts";
import { listSessions } from "./list.ts";
import { openKeySession, originOf } from "./open.ts";
import { signIn } from "./sign-in.ts";
import { streamSessionEnd } from "./stream-end.ts";

const IdParams = Type.Object({ id: Type.String() });

export function sessionRoutes(app: App, context: Context): void {
  const own = { person: true, anyAccount: true, extension: true } as const;

  app.post(
    "/account/sessions",
    {
      config: { public: true, extension: true },
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
      const id = await endCurrentSession(context, actorOf(request));
      return { id, object: "session", deleted: true as const };
    },
  );
  app.get(
    "/account/sessions/current/events",
    { config: { anyAccount: true, extension: true, stream: true }, schema: { querystring: NoQuery } },
    (request, reply) => streamSessionEnd(context, reply, actorOf(request)),
  );
  app.get(
    "/account/sessions",
    { config: own, schema: { querystring: NoQuery, response: { 200: SessionList } } },
    async (request) => {
      const actor = actorOf(request);
      return { object: "list" as const, data: await listSessions(context, actor, actor.id) };
    },
  );
  app.delete(
    "/account/sessions",
    { config: own, schema: { querystring: NoQuery, response: { 200: SessionsEnded } } },
    async (request) => ({
      object: "sessions" as const,
      ended: await endOtherSessions(context, callerOf(request, actorOf(request))),
    }),
  );
  app.delete(
    "/account/sessions/:id",
    { config: own, schema: { params: IdParams, response: { 200: Deleted } } },
    async (request) => {
      const { id } = request.params;
      await endSession(context, callerOf(request, actorOf(request)), id);
      return { id, object: "session", deleted: true as const };
    },
  );
}
