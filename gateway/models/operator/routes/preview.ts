import type { RoutePreview, RoutePreviewRequest } from "#contract/operator/routes.ts";
import type { Context } from "#gateway/context.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { everyone } from "#gateway/models/catalog/offered-entry.ts";
import { expandRoute } from "#gateway/models/providers/file/expand-route.ts";
import { previewRequest } from "#gateway/models/providers/preview/preview-request.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { connectionProblems, keyedProvider } from "./read-routes.ts";
import { routableModels } from "./routable-models.ts";

/**
 * The request that a route would send upstream, for the entry's example or another input. Nothing is sent. Throws
 * `invalid_parameter` naming the place of what is wrong with the route or the input.
 */
export async function previewRoute(context: Context, asked: RoutePreviewRequest): Promise<RoutePreview> {
  const { route } = asked;
  const reading = context.configuration.current;
  const { connections } = reading.configuration;
  const connection = connections.find(({ name }) => name === route.provider);
  const provider = keyedProvider(connections, route.provider);
  const { mappings, problems } = expandRoute(route, provider, routableModels(reading));
  const [problem] = [...connectionProblems(connections, route.provider), ...problems];
  if (problem || !connection)
    throw refusal(`route${problem?.at ?? ""}`, problem?.problem ?? "cannot be used");
  const target = mappings.find(
    ({ modelId, apiType, region }) =>
      modelId === (asked.model ?? modelId) &&
      apiType === (asked.api_type ?? apiType) &&
      region === (asked.region ?? region),
  );
  const compiled = target && context.catalog.operation(target.modelId, target.apiType, everyone);
  if (!compiled) throw refusal("model", "names nothing that this route serves in this region");
  const { model, operation } = compiled;
  const body = checkedBody(compiled, asked.input ?? operation.example);
  const unlisted = new Set([...compiled.unlisted(body), "model", "region"]);
  const input = Object.fromEntries(Object.entries(body).filter(([name]) => !unlisted.has(name)));
  const { region } = target;
  const parts = { connection, route, compiled, region, body, input };
  const request = await previewRequest(context, parts).catch((error: unknown) => {
    throw error instanceof ProviderError ? refusal(error.param ?? "input", error.message) : error;
  });
  if (!request) throw refusal("input", "is answered by the gateway itself: nothing is sent");
  return {
    object: "route_preview",
    model: model.id,
    api_type: operation.api_type,
    region,
    input: { ...body, model: model.id },
    request,
  };
}

function checkedBody(compiled: CompiledOperation, given: Record<string, unknown>): Record<string, unknown> {
  const body = structuredClone({ ...given, model: compiled.model.id });
  const [first] = compiled.validate(body);
  if (first) throw refusal(`input${first.path.replaceAll("/", ".")}`, first.message);
  return body;
}

function refusal(param: string, problem: string): ApiError {
  return new ApiError("invalid_parameter", `${param} ${problem}`, { param });
}
