import { Type } from "typebox";
import { Deleted, NoQuery } from "#contract/list.ts";
import {
  IdentityList,
  IdentityProvider,
  LastClaimsReport,
  LogoutDone,
  LogoutRequest,
  ProviderAnswer,
  ProviderFinished,
  ProviderStart,
  ProviderStarted,
} from "#contract/oidc.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { finishProviderSignIn } from "./finish.ts";
import { listIdentities, unlinkIdentity } from "./identities.ts";
import { logOutByProvider } from "./logout.ts";
import { createProvider, type Provider } from "./provider.ts";
import { lastReport } from "./report.ts";
import { startProviderSignIn } from "./start.ts";

const IdParams = Type.Object({ id: Type.String() });
const formType = "application/x-www-form-urlencoded";

/** Signing in with the identity provider of the settings. */
export function oidcRoutes(app: App, context: Context): void {
  const { config, log, database } = context;
  const settings = config.oidc;
  const known = settings && createProvider(settings, () => `${config.consoleUrl}/sign-in/callback`, log);
  const open = { public: true, anyAccount: true, extension: true } as const;
  const own = { person: true, anyAccount: true, extension: true } as const;

  const provider = (): Provider => {
    if (!known) throw new ApiError("provider_not_configured", "No identity provider is set up here.");
    return known;
  };

  app.get(
    "/account/oidc",
    { config: open, schema: { querystring: NoQuery, response: { 200: IdentityProvider } } },
    async () => ({
      object: "identity_provider" as const,
      name: settings?.signIn ? settings.name : null,
    }),
  );
  app.post(
    "/account/oidc/start",
    { config: open, schema: { body: ProviderStart, response: { 200: ProviderStarted } } },
    async (request, reply) => {
      const { actor, body, clientAddress } = request;
      const started = await startProviderSignIn(context, provider(), body, actor, clientAddress);
      return reply.header("cache-control", "no-store").send(started);
    },
  );
  app.post(
    "/account/oidc/callback",
    { config: open, schema: { body: ProviderAnswer, response: { 200: ProviderFinished } } },
    async (request, reply) => {
      const { actor, body } = request;
      const finished = await finishProviderSignIn(context, provider(), body, actor, originOf(request));
      return reply.header("cache-control", "no-store").send(finished);
    },
  );
  app.get(
    "/account/oidc/claims",
    { config: own, schema: { querystring: NoQuery, response: { 200: LastClaimsReport } } },
    async (request, reply) => {
      const report = await lastReport(database.queries, actorOf(request));
      return reply
        .header("cache-control", "no-store")
        .send({ object: "last_claims_report" as const, report });
    },
  );
  app.get(
    "/account/identities",
    { config: own, schema: { querystring: NoQuery, response: { 200: IdentityList } } },
    async (request) => ({
      object: "list" as const,
      data: await listIdentities(database.queries, actorOf(request).id),
    }),
  );
  app.delete(
    "/account/identities/:id",
    { config: own, schema: { params: IdParams, response: { 200: Deleted } } },
    (request) => unlinkIdentity(context, callerOf(request, actorOf(request)), request.params.id),
  );

  // The provider itself calls this: its token is the credential.
  app.register(async (scope) => {
    const form = scope as App;
    form.removeAllContentTypeParsers();
    form.addContentTypeParser(formType, { parseAs: "string" }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );
    form.post(
      "/account/oidc/logout",
      {
        config: { public: true, ownCredential: true, extension: true },
        schema: { body: LogoutRequest, response: { 200: LogoutDone } },
      },
      async (request, reply) => {
        const { logout_token: token } = request.body;
        const ended = await logOutByProvider(context, provider(), token, originOf(request));
        return reply.header("cache-control", "no-store").send({ object: "provider_logout" as const, ended });
      },
    );
  });
}
