import { Type } from "typebox";
import { NoQuery } from "#contract/list.ts";
import {
  LocalServerList,
  OperatorProvider,
  OperatorProviderList,
  ProviderCreate,
  ProviderDeleted,
  ProviderPresetList,
  ProviderTest,
  ProviderUpdate,
  UpstreamModelList,
  UpstreamModelQuery,
} from "#contract/operator-providers.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { createProvider } from "./create.ts";
import { deleteProvider } from "./delete.ts";
import { getProvider, listProviders } from "./list.ts";
import { findLocalServers } from "./local-servers.ts";
import { providerPresets } from "./presets.ts";
import { testProvider } from "./test-provider.ts";
import { updateProvider } from "./update.ts";
import { listUpstreamModels } from "./upstream-models.ts";

const params = Type.Object({ id: Type.String({ description: "the provider's id or name" }) });
const config = { operator: true, extension: true } as const;

/** The upstreams that run models, as operators connect them. */
export function operatorProviderRoutes(app: App, context: Context): void {
  app.get(
    "/operator/providers",
    { config, schema: { querystring: NoQuery, response: { 200: OperatorProviderList } } },
    () => listProviders(context),
  );
  app.post(
    "/operator/providers",
    { config, schema: { body: ProviderCreate, response: { 201: OperatorProvider } } },
    async (request, reply) => {
      const id = await createProvider(context, callerOf(request, actorOf(request)), request.body);
      const made = await getProvider(context, id);
      return reply.code(201).header("location", `/v1/operator/providers/${id}`).send(made);
    },
  );
  app.get(
    "/operator/providers/:id",
    { config, schema: { params, querystring: NoQuery, response: { 200: OperatorProvider } } },
    (request) => getProvider(context, request.params.id),
  );
  app.patch(
    "/operator/providers/:id",
    { config, schema: { params, body: ProviderUpdate, response: { 200: OperatorProvider } } },
    async (request) => {
      const caller = callerOf(request, actorOf(request));
      return getProvider(context, await updateProvider(context, caller, request.params.id, request.body));
    },
  );
  app.post(
    "/operator/providers/:id/test",
    { config, schema: { params, response: { 200: ProviderTest } } },
    (request) => testProvider(context, request.params.id),
  );
  app.get(
    "/operator/providers/:id/models",
    { config, schema: { params, querystring: UpstreamModelQuery, response: { 200: UpstreamModelList } } },
    (request) => listUpstreamModels(context, request.params.id, request.query),
  );
  app.get(
    "/operator/provider_presets",
    { config, schema: { querystring: NoQuery, response: { 200: ProviderPresetList } } },
    async () => ({ object: "list" as const, data: [...providerPresets] }),
  );
  app.get(
    "/operator/local_servers",
    { config, schema: { querystring: NoQuery, response: { 200: LocalServerList } } },
    async () => ({ object: "list" as const, data: await findLocalServers(context) }),
  );
  app.delete(
    "/operator/providers/:id",
    { config, schema: { params, response: { 200: ProviderDeleted, 202: ProviderDeleted } } },
    async (request, reply) => {
      const result = await deleteProvider(context, callerOf(request, actorOf(request)), request.params.id);
      return reply.code(result.deleted ? 200 : 202).send(result);
    },
  );
}
