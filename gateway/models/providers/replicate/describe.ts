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

import { recordOf, textOf } from "../http/read-body.ts";

/**
 * A model by `owner/name`, or one of its versions by `owner/name:version`. Throws the errors of
 * `AskAboutModel.first`.
 */
export async function describeReplicate(ask: AskAboutModel, name: string): Promise<ModelDescription> {
  const [path = "", version] = name.split(":");
  if (!/^[\w.-]+\/[\w.-]+$/.test(path))
    throw badModelName("A model of Replicate is named owner/name or owner/name:version.");
  const model = await ask.first([`/models/${path}`]);
  const asked = version ? await ask.first([`/models/${path}/versions/${encodeURIComponent(version)}`]) : null;
  return { model: replicateModel(model, asked) };
}

/** Characters shown of a version's id. */
const shownVersion = 12;

/**
 * Replicate's answer for a model, with the requested version or the latest: its OpenAPI document has the
 * schemas `Input` and `Output`. Throws `invalid_schema`.
 */
export function replicateModel(
  model: Record<string, unknown>,
  asked: Record<string, unknown> | null,
): UpstreamModel {
  const owner = textOf(model.owner);
  const name = `${owner}/${textOf(model.name)}`;
  const version = asked ?? recordOf(model.latest_version);
  const document = recordOf(version.openapi_schema);
  const schemas = recordOf(recordOf(document.components).schemas);
  if (schemas.Input === undefined)
    throw invalidSchema(`${name} publishes no input schema, so no form can be made of it.`);
  const id = textOf(version.id);
  // An official model is called by its name and keeps its input schema; any other model only by a version.
  const pinned = id !== null && (asked !== null || model.is_official !== true);
  const example = recordOf(model.default_example);
  const { input, notes } = ownSchema(document, schemas.Input);
  return {
    name: pinned ? `${name}:${id}` : name,
    description: textOf(model.description),
    coverUrl: httpsUrl(model.cover_image_url),
    input,
    output: schemas.Output === undefined ? null : outputSchema(document, schemas.Output),
    category: null,
    sample: model.default_example ? { input: recordOf(example.input), output: example.output } : null,
    notes: [
      pinned
        ? `Always runs version ${id.slice(0, shownVersion)}. The form is from that version.`
        : "An official model: the provider chooses its version.",
      ...notes,
    ],
  };
}
