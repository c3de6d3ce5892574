import { invalidSchema } from "#gateway/models/catalog/entry.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-error.ts";
import {
  type AskAboutModel,
  badModelName,
  httpsUrl,
  type ModelDescription,
  outputSchema,
  ownSchema,
  type UpstreamModel,
} from "../descriptions.ts";
import { parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { type Fault, jobFailure } from "../http/refusal.ts";
import { cancelJob, finishedJob, jobKinds, jobState, openJobs, pollAfterMs } from "../jobs.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import { type Mapped, otherServer, type Protocol, type ProtocolFacts, preset } from "../protocol.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";
import { goneJob, lostJob, type Upstream } from "../upstreams/upstream.ts";

const runs = [...jobKinds];

/** Characters shown of a version's id. */
const shownVersion = 12;

const replicateFacts: ProtocolFacts = {
  checks: () => [
    {
      path: "/account",
      success(body) {
        const name = textOf(recordOf(body).username);
        return name === null ? "The key is good." : `The key belongs to ${name}.`;
      },
    },
    { path: "/models", success: () => "It lists its models." },
  ],
  listPaths: (_, text) => (text ? [`/search?query=${encodeURIComponent(text)}`, "/models"] : ["/models"]),
  searches: true,
  describeModel: describeReplicate,
  servicePaths: false,
  presets: [
    preset({
      id: "replicate",
      name: "Replicate",
      base_url: "https://api.replicate.com/v1",
      key_url: "https://replicate.com/account/api-tokens",
      runs,
    }),
    otherServer("replicate", "Replicate's API", runs),
  ],
};

const firstPollMs = 1_000;

/**
 * Replicate and compatible servers: all work is done as predictions, whose inputs are the model's own fields.
 */
export const replicate: Protocol = {
  name: "replicate",
  kinds: jobKinds,
  hosts: { any: "https://api.replicate.com/v1" },
  scheme: "Bearer",
  facts: replicateFacts,
  readFault: readReplicateFault,
  open: openJobs("replicate", {
    start: createPrediction,
    status: predictionStatus,
    cancel: cancelPrediction,
  }),
};

/**
 * A model by `owner/name`, or one of its versions by `owner/name:version`. Throws the errors of
 * `AskAboutModel.first`.
 */
async function describeReplicate(ask: AskAboutModel, name: string): Promise<ModelDescription> {
  const [path = "", version] = name.split(":");
  if (!/^[\w.-]+\/[\w.-]+$/.test(path))
    throw badModelName("A model of Replicate is named owner/name or owner/name:version.");
  const model = await ask.first([`/models/${path}`]);
  const asked = version ? await ask.first([`/models/${path}/versions/${encodeURIComponent(version)}`]) : null;
  return { model: replicateModel(model, asked) };
}

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

/**
 * Creates a prediction of a model (`owner/name`) or of one version (`owner/name:version`). Never waits for
 * it.
 */
async function createPrediction(mapped: Mapped, request: ProviderRequest): Promise<{ upstreamId: string }> {
  const input = upstreamFields(await inputWithMedia(request, mapped.media), mapped.fields);
  const [model = "", version] = mapped.model.split(":");
  const call = version
    ? { path: "/predictions", json: { version, input } }
    : { path: `/models/${model}/predictions`, json: { input } };
  const answer = await mapped.upstream.json(request, { ...call, wait: "job" });
  const upstreamId = textOf(answer.id);
  if (upstreamId === null) throw lostJob();
  return { upstreamId };
}

async function predictionStatus(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const path = predictionPath(ref);
  const answer = await upstream.json(request, { method: "GET", path, wait: "job", gone: goneJob });
  const state = jobState(answer.status);
  switch (state) {
    case "queued":
    case "running":
      return { state, pollAfterMs: pollAfterMs(ref.startedAt, firstPollMs) };
    case "succeeded":
      return finishedJob(answer.output, request);
    case "canceled":
      return { state };
    case "failed": {
      const aborted = answer.status === "aborted" ? "timeout" : null;
      const message = textOf(answer.error) ?? textOf(recordOf(answer.error).detail);
      return { state, error: jobFailure({ code: aborted, message, param: null }) };
    }
  }
}

function predictionPath(ref: ProviderRef): string {
  return `/predictions/${encodeURIComponent(String(ref.upstreamId))}`;
}

async function cancelPrediction(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<"canceled" | "too_late"> {
  const answer = await cancelJob(upstream, request, { path: `${predictionPath(ref)}/cancel`, json: {} });
  return answer === null ? "too_late" : "canceled";
}

/** Replicate: `{title, detail, status, invalid_fields?}`. */
function readReplicateFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const [field] = recordsOf(body.invalid_fields);
  const param = textOf(field?.field)?.replace(/^input\.?/, "") || null;
  return {
    code: textOf(body.title),
    message: textOf(body.detail) ?? textOf(body.error) ?? textOf(body.title),
    param,
  };
}
