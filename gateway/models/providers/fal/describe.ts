import type { JsonSchema } from "#contract/catalog.ts";
import { invalidSchema } from "#gateway/models/catalog/entry.ts";
import {
  type AskAboutModel,
  badModelName,
  httpsUrl,
  type ModelDescription,
  outputSchema,
  ownSchema,
  type UpstreamModel,
} from "../descriptions.ts";

import { isRecord, recordOf, recordsOf, textOf } from "../http/read-body.ts";

/**
 * The origin of model descriptions. fal serves them from another host than its queue; a compatible server
 * describes its own models.
 */
export function descriptionsOf(base: URL | null): string {
  return !base || /(^|\.)fal\.(run|ai)$/.test(base.hostname) ? "https://api.fal.ai" : base.origin;
}

/** An endpoint by its id. Throws the errors of `AskAboutModel.first`. */
export async function describeFal(ask: AskAboutModel, name: string): Promise<ModelDescription> {
  if (!/^[\w.-]+(\/[\w.-]+)+$/.test(name) || name.split("/").includes(".."))
    throw badModelName("An endpoint of fal is named by its id, such as fal-ai/flux/dev.");
  const id = encodeURIComponent(name);
  const origin = descriptionsOf(ask.base);
  const found = await ask.first(
    [
      `/v1/models?endpoint_id=${id}&expand=openapi-3.0`,
      // A compatible server describes its own models.
      ...(origin !== ask.base?.origin
        ? []
        : [`/api/openapi/queue/openapi.json?endpoint_id=${id}`, `/${name}/openapi.json`]),
    ],
    origin,
  );
  if ("paths" in found) return { model: falModel(name, found, {}) };
  const model = recordsOf(found.models).find((one) => one.endpoint_id === name);
  if (!model) throw ask.unknown();
  return { model: falModel(name, recordOf(model.openapi), recordOf(model.metadata)) };
}

/**
 * Describes a fal endpoint from its OpenAPI document: the POST of its path has the input, the GET of a
 * request the output. `metadata` adds the fields of fal's model list. Throws `invalid_schema`.
 */
export function falModel(
  name: string,
  document: Record<string, unknown>,
  metadata: Record<string, unknown>,
): UpstreamModel {
  const paths = Object.entries(recordOf(document.paths)).map(([path, item]) => ({
    path,
    item: recordOf(item),
  }));
  const submit = paths.find(({ path, item }) => isRecord(item.post) && !path.includes("/requests/"));
  const read = paths.find(({ path, item }) => isRecord(item.get) && /\/requests\/\{[^}]+\}\/?$/.test(path));
  const post = recordOf(submit?.item.post);
  const input = jsonSchemaIn(recordOf(post.requestBody));
  if (input === undefined)
    throw invalidSchema(`${name} publishes no input schema, so no form can be made of it.`);
  const answer = read ? recordOf(read.item.get) : post;
  const output = jsonSchemaIn(recordOf(recordOf(answer.responses)["200"]));
  const info = recordOf(recordOf(document.info)["x-fal-metadata"]);
  return {
    name,
    description: textOf(metadata.description),
    coverUrl: httpsUrl(metadata.thumbnail_url) ?? httpsUrl(info.thumbnailUrl),
    ...ownSchema(document, input, orderOf),
    output: output === undefined ? null : outputSchema(document, output, orderOf),
    category: textOf(metadata.category) ?? textOf(info.category),
    sample: null,
  };
}

function jsonSchemaIn(body: Record<string, unknown>): JsonSchema | undefined {
  const schema = recordOf(recordOf(body.content)["application/json"]).schema;
  return isRecord(schema) ? schema : undefined;
}

/** fal lists the order of the fields separately. */
function orderOf(schema: JsonSchema): readonly unknown[] | undefined {
  const listed = schema["x-fal-order-properties"];
  return Array.isArray(listed) ? listed : undefined;
}
