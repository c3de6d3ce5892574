import type { ApiType, RegionName } from "#contract/catalog.ts";
import type { ErrorCode, ErrorDetail } from "#contract/error.ts";
import type { CompiledOperation } from "#gateway/catalog/catalog.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/http/actor.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { refuseUnstorable } from "#gateway/http/storable.ts";
import { passGates } from "./gates.ts";
import { checkLimits } from "./limits.ts";

/** A request that may run: every refusal of the contract's order is behind it. */
export interface Admitted {
  actor: Actor;
  compiled: CompiledOperation;
  region: RegionName;
  /** The whole body with schema defaults. */
  body: Record<string, unknown>;
  /** What the provider gets: the body without `model`, `region` and what the operation does not know. */
  input: Record<string, unknown>;
  /** Names that were accepted but are not forwarded. */
  ignored: string[];
}

/** Read by the gateway itself, whether an entry lists them or not. */
const gatewayFields = new Set(["model", "region"]);
/** Accepted on every kind; only chat upstreams get it. */
const answerFormat = "response_format";

/** The route of each kind, to tell a caller who came to the wrong one. */
export const operationPaths: Record<ApiType, string> = {
  "chat-completions": "/chat/completions",
  "text-to-speech": "/audio/speech",
  "audio-transcription": "/audio/transcriptions",
  "voice-management": "/audio/voices",
  "image-generation": "/images/generations",
  "image-editing": "/images/edits",
  "video-generation": "/videos",
};

/**
 * Checks a parsed body against everything that can refuse it, in the order of docs/api.md ("The order of refusal").
 * `apiType` is null on the generic route, where the model decides. Multipart text is coerced when `fromText`.
 */
export async function admit(
  context: Context,
  actor: Actor,
  apiType: ApiType | null,
  raw: unknown,
  fromText: boolean,
): Promise<Admitted> {
  const body = objectOf(raw);
  const compiled = findOperation(context, apiType, body);
  const { model, operation } = compiled;
  if (actor.models && !actor.models.includes(model.id))
    throw new ApiError("model_not_allowed", `This key may not use ${model.id}.`, { param: "model" });
  const asked = typeof body.region === "string" ? body.region : null;
  if (asked && actor.regions && !actor.regions.includes(asked))
    throw new ApiError("region_not_allowed", `This key may not use the region ${asked}.`, {
      param: "region",
    });
  if (fromText) {
    compiled.coerce(body);
    // What was JSON written in a text has been opened only now.
    refuseUnstorable(body);
  }
  refuseInvalid(compiled.validate(body));
  checkLimits(operation, body);
  await passGates(context, actor.accountId, model.safety_requirements, body);
  const region = regionOf(context, compiled, asked, actor.regions);
  const unlisted = new Set(compiled.unlisted(body));
  const input = Object.fromEntries(
    Object.entries(body).filter(([name]) => !unlisted.has(name) && !gatewayFields.has(name)),
  );
  const ignored = [...unlisted].filter((name) => !gatewayFields.has(name) && name !== answerFormat);
  return { actor, compiled, region, body, input, ignored };
}

/** Where it runs: only where this gateway has an upstream for it, once it has one anywhere. */
function regionOf(
  context: Context,
  { model, operation }: CompiledOperation,
  asked: string | null,
  allowed: readonly string[] | null,
): RegionName {
  const served = context.providers.regions(model, operation);
  const usable = served?.filter((name) => allowed?.includes(name) ?? true) ?? allowed;
  if (served?.length === 0)
    throw new ApiError("service_unavailable", `${model.id} is not served by this gateway.`, {
      param: "model",
    });
  if (served && asked !== null && !served.some((name) => name === asked))
    throw new ApiError(
      "region_not_available",
      `${model.id} is not served in "${asked}". Choose one of: ${served.join(", ")}.`,
      { param: "region" },
    );
  const picked = context.catalog.pickRegion(model, asked, usable);
  if ("code" in picked) throw new ApiError(picked.code, picked.message, { param: asked ? "region" : null });
  return picked.region;
}

function objectOf(raw: unknown): Record<string, unknown> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  return { ...(raw as Record<string, unknown>) };
}

function findOperation(
  context: Context,
  apiType: ApiType | null,
  body: Record<string, unknown>,
): CompiledOperation {
  if (body.model === undefined)
    throw new ApiError("missing_parameter", "model is required", { param: "model" });
  if (typeof body.model !== "string")
    throw new ApiError("invalid_parameter", "model must be a string", { param: "model" });
  const model = context.catalog.model(body.model);
  if (!model)
    throw new ApiError("model_not_found", `There is no model ${body.model}. GET /v1/models lists them.`, {
      param: "model",
    });
  const wanted = apiType ?? model.operations[0]?.api_type ?? "chat-completions";
  const compiled = context.catalog.operation(model.id, wanted);
  if (!compiled) {
    const routes = model.api_types.map((kind) => `POST /v1${operationPaths[kind]}`).join(" or ");
    throw new ApiError("operation_not_supported", `${model.id} does not do ${wanted}. Use ${routes}.`, {
      param: "model",
    });
  }
  return compiled;
}

function refuseInvalid(details: ErrorDetail[]): void {
  const first = details[0];
  if (!first) return;
  const param = first.path.replace(/^\//, "").replaceAll("/", ".") || null;
  const code = codeOf(first);
  throw new ApiError(code, `${param ?? "The body"} ${first.message}`, { param, details });
}

function codeOf(problem: ErrorDetail): ErrorCode {
  if (problem.keyword === "required") return "missing_parameter";
  return problem.path === "/region" && problem.keyword === "enum"
    ? "region_not_available"
    : "invalid_parameter";
}
