import { oidcRoutes, providerLogoutRoutes } from "#contract/routes/sign-in.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { originOf } from "../sessions/open.ts";
import { finishProviderSignIn } from "./finish.ts";
import { listIdentities, unlinkIdentity } from "./identities.ts";
import { logOutByProvider } from "./logout.ts";
import { createProvider, type Provider } from "./provider.ts";
import { lastReport } from "./report.ts";
import { startProviderSignIn } from "./start.ts";

const formType = "application/x-www-form-urlencoded";

/** Signing in with the identity provider of the settings. */
export function installOidc(app: App, context: Context): void {
  const { config, log, database } = context;
  const settings = config.oidc;
  const known = settings && createProvider(settings, () => `${config.consoleUrl}/sign-in/callback`, log);

  const provider = (): Provider => {
    if (!known) throw new ApiError("provider_not_configured", "No identity provider is set up here.");
    return known;
  };
  serve(app, oidcRoutes, {
    "GET /account/oidc": async () => ({
      object: "identity_provider" as const,
      name: settings?.signIn ? settings.name : null,
    }),
    "POST /account/oidc/start": async (request, reply) => {
      const { actor, body, clientAddress } = request;
      const started = await startProviderSignIn(context, provider(), body, actor, clientAddress);
      return reply.header("cache-control", "no-store").send(started);
    },
    "POST /account/oidc/callback": async (request, reply) => {
      const { actor, body } = request;
      const finished = await finishProviderSignIn(context, provider(), body, actor, originOf(request));
      return reply.header("cache-control", "no-store").send(finished);
    },
    "GET /account/oidc/claims": async (request, reply) => {
      const report = await lastReport(database.queries, actorOf(request));
      return reply
        .header("cache-control", "no-store")
        .send({ object: "last_claims_report" as const, report });
    },
    "GET /account/identities": async (request) => ({
      object: "list" as const,
      data: await listIdentities(database.queries, actorOf(request).id),
    }),
    "DELETE /account/identities/{id}": (request) =>
      unlinkIdentity(context, callerOf(request, actorOf(request)), request.params.id),
  });

  // The provider itself calls this: its token is the credential.
  app.register(async (scope) => {
    const form = scope as App;
    form.removeAllContentTypeParsers();
    form.addContentTypeParser(formType, { parseAs: "string" }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );
    serve(form, providerLogoutRoutes, {
      "POST /account/oidc/logout": async (request, reply) => {
        const { logout_token: token } = request.body;
        const ended = await logOutByProvider(context, provider(), token, originOf(request));
        return reply.header("cache-control", "no-store").send({ object: "provider_logout" as const, ended });
      },
    });
  });
}
