import { operatorProviderRoutes } from "#contract/routes/operator-providers.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createProvider } from "./create.ts";
import { deleteProvider } from "./delete.ts";
import { getProvider, listProviders } from "./list.ts";
import { findLocalServers } from "./local-servers.ts";
import { providerPresets } from "./presets.ts";
import { testProvider } from "./test-provider.ts";
import { updateProvider } from "./update.ts";
import { listUpstreamModels } from "./upstream-models.ts";

/** The upstreams that run models, as operators connect them. */
export function installOperatorProviders(app: App, context: Context): void {
  serve(app, context, operatorProviderRoutes, {
    "GET /operator/providers": () => listProviders(context),
    "POST /operator/providers": async (request, reply) => {
      const made = await createProvider(context, request.caller, request.body);
      return reply.code(201).header("location", `/v1/operator/providers/${made.id}`).send(made);
    },
    "GET /operator/providers/{id}": (request) => getProvider(context, request.params.id),
    "PATCH /operator/providers/{id}": (request) =>
      updateProvider(context, request.caller, request.params.id, request.body),
    "POST /operator/providers/{id}/test": (request) => testProvider(context, request.params.id),
    "GET /operator/providers/{id}/models": (request) =>
      listUpstreamModels(context, request.params.id, request.query),
    "GET /operator/provider_presets": async () => ({ object: "list" as const, data: [...providerPresets] }),
    "GET /operator/local_servers": async () => ({
      object: "list" as const,
      data: await findLocalServers(context),
    }),
    "DELETE /operator/providers/{id}": async (request, reply) => {
      const result = await deleteProvider(context, request.caller, request.params.id);
      return reply.code(result.deleted ? 200 : 202).send(result);
    },
  });
}
