import type { JsonSchema } from "#contract/catalog.ts";
import { paramAt } from "#contract/checks/request-check.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
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
import type { HttpAnswer } from "../http/http-client.ts";
import { single } from "../http/rate-limit.ts";
import { invalidAnswer, parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { type Fault, jobFailure } from "../http/refusal.ts";
import { cancelJob, finishedJob, jobKinds, jobState, openJobs, pollAfterMs } from "../jobs.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import { type Mapped, otherServer, type Protocol, type ProtocolFacts, preset } from "../protocol.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";
import { goneJob, lostJob, type Upstream, type UpstreamCall } from "../upstreams/upstream.ts";

const runs = [...jobKinds];

/** A request that does not exist: asking for its state is free, but needs a valid key. */
const noRequest = "/fal-ai/flux/requests/00000000-0000-0000-0000-000000000000/status";

const falFacts: ProtocolFacts = {
  checks: () => [{ path: noRequest, provenBy: [400, 404, 405, 422], success: () => "The queue answers." }],
  listPaths: (base, text) => [
    `${descriptionsOf(base)}/v1/models?limit=100${text ? `&q=${encodeURIComponent(text)}` : ""}`,
  ],
  searches: true,
  describeModel: describeFal,
  servicePaths: false,
  presets: [
    preset({
      id: "fal",
      name: "fal",
      base_url: "https://queue.fal.run",
      key_url: "https://fal.ai/dashboard/keys",
      runs,
    }),
    otherServer("fal", "fal's API", runs),
  ],
};

const firstPollMs = 1_000;

/** fal's queue: a request is submitted, then polled and fetched at the URLs that fal returns. */
export const fal: Protocol = {
  name: "fal",
  kinds: jobKinds,
  hosts: { any: "https://queue.fal.run" },
  scheme: "Key",
  facts: falFacts,
  readFault: readFalFault,
  open: openJobs("fal", { start: submit, status: queueStatus, cancel: cancelRequest }),
};

/**
 * The origin of model descriptions. fal serves them from another host than its queue; a compatible server
 * describes its own models.
 */
function descriptionsOf(base: URL | null): string {
  return !base || /(^|\.)fal\.(run|ai)$/.test(base.hostname) ? "https://api.fal.ai" : base.origin;
}

/** An endpoint by its id. Throws the errors of `AskAboutModel.first`. */
async function describeFal(ask: AskAboutModel, name: string): Promise<ModelDescription> {
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

/** How long fal keeps a result: the same time as the gateway itself. */
const keptSeconds = 86_400;

interface Links {
  statusUrl: string;
  responseUrl: string;
  cancelUrl: string;
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

/**
 * Submits a request to a model's queue. Uses the URLs of the answer unchanged; fal's documentation forbids
 * building them.
 */
async function submit(mapped: Mapped, request: ProviderRequest): Promise<Links & { upstreamId: string }> {
  const { upstream, model } = mapped;
  const json = upstreamFields(await inputWithMedia(request, mapped.media), mapped.fields);
  const answer = await upstream.json(request, {
    path: `/${model}`,
    json,
    headers: {
      // Turns off fal's own retries, because the gateway decides about retries.
      "x-fal-no-retry": "1",
      "x-fal-object-lifecycle-preference": JSON.stringify({ expiration_duration_seconds: keptSeconds }),
    },
    wait: "job",
  });
  const upstreamId = textOf(answer.request_id);
  const [statusUrl, responseUrl, cancelUrl] = [answer.status_url, answer.response_url, answer.cancel_url].map(
    textOf,
  );
  if (!upstreamId || !statusUrl || !responseUrl || !cancelUrl) throw lostJob();
  // Later requests to these URLs carry the key, so the URLs must belong to this provider.
  if (![statusUrl, responseUrl, cancelUrl].every((url) => upstream.owns(request.region, url)))
    throw invalidAnswer("The provider's job URL is on another host.");
  return { upstreamId, statusUrl, responseUrl, cancelUrl };
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

/** fal: `{detail: [{loc, msg, type}]}` or `{detail: "…"}`, with the kind also in `x-fal-error-type`. */
function readFalFault(text: string, headers: HttpAnswer["headers"] = {}): Fault {
  const body = recordOf(parsed(text));
  const [first] = recordsOf(body.detail);
  const location = Array.isArray(first?.loc) ? first.loc.filter((step) => step !== "body") : [];
  return {
    code: textOf(first?.type) ?? textOf(body.error_type) ?? single(headers["x-fal-error-type"]) ?? null,
    message: textOf(first?.msg) ?? textOf(body.detail) ?? textOf(body.error),
    param: paramAt(`/${location.join("/")}`) || null,
  };
}

async function queueStatus(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const call = { method: "GET", wait: "job", gone: goneJob } as const;
  const answer = await upstream.json(request, { ...call, path: String(ref.statusUrl) });
  const state = jobState(answer.status);
  switch (state) {
    case "queued":
    case "running":
      return { state, pollAfterMs: pollAfterMs(ref.startedAt, firstPollMs) };
    case "canceled":
      return { state };
    case "failed":
      return { state, error: jobFailure(faultOf(answer)) };
    case "succeeded":
      // fal's "completed" only means that the request has ended, not that it succeeded.
      return textOf(answer.error) === null
        ? result(upstream, ref, request)
        : { state: "failed", error: jobFailure(faultOf(answer)) };
  }
}

/** The model's result. A rejection or failure by the model appears only now, as the status of this answer. */
async function result(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const failure: UpstreamCall["failure"] = (status, fault, headers) =>
    headers["x-fal-error-type"] !== undefined || status === 400 || status === 422
      ? jobFailure(status === 422 ? { ...fault, code: `invalid_input ${fault.code ?? ""}` } : fault)
      : null;
  const call = { method: "GET", path: String(ref.responseUrl), wait: "job", gone: goneJob, failure } as const;
  return finishedJob(await upstream.json(request, call), request);
}

function faultOf(answer: Record<string, unknown>) {
  const nested = parsed(String(answer.error));
  const fault = readFalFault(JSON.stringify(recordOf(nested)));
  return {
    code: textOf(answer.error_type) ?? fault.code,
    message: fault.message ?? textOf(answer.error),
    param: fault.param,
  };
}

async function cancelRequest(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<"canceled" | "requested" | "too_late"> {
  const answer = await cancelJob(upstream, request, { method: "PUT", path: String(ref.cancelUrl) });
  if (answer === null) return "too_late";
  return String(answer.status).toUpperCase() === "CANCELLATION_REQUESTED" ? "requested" : "canceled";
}
