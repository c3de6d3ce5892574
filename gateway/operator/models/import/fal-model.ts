import type { JsonSchema } from "#contract/catalog.ts";
import { isRecord, recordOf, textOf } from "#gateway/providers/http/read-body.ts";
import { invalidSchema } from "../invalid-schema.ts";
import { httpsUrl } from "./https-url.ts";
import { outputSchema, ownSchema } from "./own-schema.ts";
import type { UpstreamModel } from "./upstream-model.ts";

/**
 * An endpoint of fal by its OpenAPI document: the POST of its path has the input, the GET of a request the output.
 * `metadata` is what fal's list of models says beside it. Throws `invalid_schema`.
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
    ...ownSchema(document, input),
    output: output === undefined ? null : outputSchema(document, output),
    category: textOf(metadata.category) ?? textOf(info.category),
    sample: null,
  };
}

function jsonSchemaIn(body: Record<string, unknown>): JsonSchema | undefined {
  const schema = recordOf(recordOf(body.content)["application/json"]).schema;
  return isRecord(schema) ? schema : undefined;
}
