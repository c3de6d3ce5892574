import type { ApiType, CatalogModel, CatalogOperation, JsonSchema, RegionName } from "#contract/catalog.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { faultSentence, misspeltWords } from "#contract/checks/fault-words.ts";
import { paramAt } from "#contract/checks/request-check.ts";
import type { FieldChange } from "#contract/contents.ts";
import type { ErrorCode, ErrorDetail } from "#contract/error.ts";
import type { Metadata } from "#contract/metadata.ts";
import { textTypes } from "#contract/operator/constants.ts";
import type { ContentsState } from "#contract/usage.ts";
import { enforceSafety } from "#gateway/access/accounts/attestations/gates.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { modelNotFound } from "#gateway/models/catalog/model-not-found.ts";
import { byRank } from "#gateway/models/providers/in-turn.ts";
import type { NativeRequest } from "#gateway/models/providers/provider.ts";
import type { Routes } from "#gateway/models/providers/providers.ts";
import { type Actor, allowedRegions, mayUseModel } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { refuseUnstorable } from "#gateway/platform/http/body-bounds.ts";
import { QuietError } from "#gateway/platform/network/quiet.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { plainMessages } from "./chat-messages.ts";
import { assertTasks, metadataOf, withWorkload } from "./metadata.ts";
import { checkParameters, shapesAnswer } from "./parameters.ts";
import { noneFits, type RequestWish, readWishes, wishField, wishOf } from "./provider-wishes.ts";
import { type RequestFiles, refuseStrayFiles } from "./resolve-media-source.ts";

/** The tokens that a run reserved in its caller's limits of a minute. */
export interface HeldTokens {
  /** What the run used; a run that failed used nothing. */
  /** Without a number: as much as was reserved. */
  use(tokens?: number): void;
  /** Gives back what was reserved and not used, or counts what was used beyond it. */
  settle(): void;
}

/** A request that has passed all checks. */
export interface Admitted {
  /** The operation as it was requested: a guard's replacement of its input is admitted in the same way. */
  call: OperationInput;
  actor: Actor;
  compiled: CompiledOperation;
  region: RegionName;
  /** The routes at the time when the region was chosen, as the request wishes them. */
  routes: Routes;
  wish: RequestWish | null;
  /**
   * Other regions to try, best first, if the run certainly did not start in the chosen one; none if the
   * caller chose the region.
   */
  otherRegions: RegionName[];
  /** The whole body with schema defaults. */
  body: Record<string, unknown>;
  /** The provider's input: the body without `model`, `region` and unknown fields. */
  input: Record<string, unknown>;
  /** The files of the request; removed when it ends. */
  files: RequestFiles;
  /** Parameters that were accepted but are not forwarded. */
  ignored: string[];
  native?: NativeRequest;
  /** The alias that the request named, if any. */
  alias?: string;
  /** The caller's own notes about the request. */
  metadata: Metadata | null;
  /** The callback address in the body, not checked yet; undefined without one. */
  callbackUrl?: unknown;
  /** Whether the contents of its runs are kept. Null: the account keeps none of this kind. */
  contents: ContentsState | null;
  /** The body before defaults, if the contents of its runs are kept. */
  asked: Record<string, unknown> | null;
  /** How what the last upstream got differs from it; null until one got something. */
  changes: FieldChange[] | null;
  /** The batch that this run is a row of. */
  batchId?: string;
  /** The run's tokens of this minute; missing or null: its caller has no limit. */
  tokens?: HeldTokens | null;
}

/** The gateway reads these fields even if an entry does not list them. */
const gatewayFields = new Set(["model", "region"]);
/** The gateway reads this field unless the entry has an input of this name. */
const metadataField = "metadata";
/** The callback address, which receives the run's events. Read under the same condition as `metadata`. */
const callbackField = "callback_url";
/** Whether our own store keeps a chat. Never sent on: another store would keep it too. */
const storeField = "store";

/** Fields that only the gateway reads, unless the operation has an input of this name; `admit` takes them out of a body. */
export const fieldsBeside: readonly string[] = [metadataField, callbackField, wishField];

/** An operation as the client requested it. */
export interface OperationInput {
  /** Null: found by the fields of the input. */
  apiType: ApiType | null;
  body: unknown;
  /** The files of a multipart body. Its other values are text, which the schema converts. */
  files?: RequestFiles;
  /** The original body, if the client spoke another API. */
  native?: NativeRequest;
  /** The conversation, as a header names it. */
  session?: string | undefined;
  /** The messages that name the conversation, if its first turn was not sent with this body. */
  beginning?: readonly object[] | undefined;
  /** Metadata from the request header. */
  sentBeside?: string | string[];
  /** Wishes about the providers from the request header. */
  wishedBeside?: string | string[];
  /** Whether the caller said that nothing of the contents may be kept. */
  declinesContents?: boolean;
}

/**
 * Runs every check on a parsed body, in the order of docs/requests.md ("The order of checks"). Stores nothing.
 * `hasOther`: whether another model of an alias could answer instead.
 */
export async function admit(
  context: RunsContext,
  actor: Actor,
  call: OperationInput,
  hasOther = false,
): Promise<Admitted> {
  const { apiType, body: raw, files, native, declinesContents = false } = call;
  // Each step below reads the whole body, so other requests get a turn in between. Only promises are awaited,
  // because awaiting other values also costs time.
  const othersRun = yieldToEventLoop();
  const body = objectOf(raw);
  const compiled = operationFor(context, actor, apiType, body);
  const { model, operation } = compiled;
  const regions = allowedRegions(actor);
  const askedIn = askedRegion(body, actor, regions);
  if (files) {
    await compiled.coerce(body);
    // `coerce` has just parsed the JSON inside text parts, so its strings are checked here.
    await refuseUnstorable(body);
  }
  const { metadata, callbackUrl, wishes } = takeFieldsBeside(actor, operation, body, call);
  if (compiled.engine === "chat") plainMessages(body, model);
  openAiVideoNames(compiled, body);
  let pause = othersRun();
  if (pause) await pause;
  // Validation fills in defaults.
  const asked = actor.contents && context.config.contents ? { ...body } : null;
  refuseInvalid(compiled.validate(body), operation.input_schema);
  pause = othersRun();
  if (pause) await pause;
  if (files) refuseStrayFiles(compiled, body, files);
  checkParameters(compiled, body, () => usableModels(context, actor));
  pause = othersRun();
  if (pause) await pause;
  const gates = enforceSafety(context, actor, model.safety_requirements, body);
  if (gates) await gates;
  const contents = contentsOf(context, compiled, body, actor, declinesContents);
  const input = Object.fromEntries(Object.entries(body).filter(([name]) => isInput(compiled, name)));
  const ignored = compiled
    .unlisted(body)
    .filter(
      (name) =>
        !gatewayFields.has(name) && !shapesAnswer(operation.api_type, name) && !isStore(compiled, name),
    );
  if (isStore(compiled, storeField) && body.store === true && contents !== "kept") ignored.push(storeField);
  const [dropped] = ignored;
  if (wishes?.require_parameters && dropped !== undefined)
    throw invalidParameter(
      dropped,
      `${dropped} is not supported by ${operation.id}, and ${wishField}.require_parameters is true.`,
    );
  const wish = wishes && (await wishOf(context, wishes, { accountId: actor.accountId, input, native }));
  const where = regionsOf(context, compiled, { asked: askedIn, allowed: regions, hasOther, wish });
  pause = othersRun();
  if (pause) await pause;
  return {
    call,
    actor,
    compiled,
    ...where,
    wish,
    body,
    input,
    files: files ?? noFiles,
    ignored,
    metadata,
    contents,
    asked: contents === "kept" ? asked : null,
    changes: null,
    ...(native && { native }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
}

const noFiles: RequestFiles = new Map();

/**
 * Takes the fields out of a body that only the gateway reads, unless the operation has an input of this name.
 * Throws `invalid_parameter`, and as `assertTasks`.
 */
function takeFieldsBeside(
  actor: Actor,
  operation: CatalogOperation,
  body: Record<string, unknown>,
  { sentBeside, wishedBeside }: Pick<OperationInput, "sentBeside" | "wishedBeside">,
) {
  const isOurs = !listsField(operation, metadataField);
  const metadata = withWorkload(actor, metadataOf(isOurs ? body.metadata : undefined, sentBeside));
  if (actor.taskKeys.length > 0) assertTasks(actor.taskKeys, metadata);
  if (isOurs && metadataField in body) delete body[metadataField];
  const callbackUrl = listsField(operation, callbackField) ? undefined : (body[callbackField] ?? undefined);
  if (callbackUrl !== undefined) delete body[callbackField];
  const wishesInBody = !listsField(operation, wishField);
  const wishes = readWishes(wishesInBody ? body.provider : undefined, wishedBeside);
  if (wishesInBody && wishField in body) delete body[wishField];
  return { metadata, callbackUrl, wishes };
}

function isStore({ engine }: CompiledOperation, name: string): boolean {
  return engine === "chat" && name === storeField;
}

/** Tells the fields of a body that are the operation's input from those that only the gateway reads, or nobody. */
export function isInput(compiled: CompiledOperation, name: string): boolean {
  return compiled.lists(name) && !gatewayFields.has(name) && !isStore(compiled, name);
}

/** Operations whose contents may be kept. An async run keeps its input itself, and a list of voices says nothing. */
const keptKinds: readonly ApiType[] = [
  "chat-completions",
  "text-to-speech",
  "audio-transcription",
  "image-generation",
  "image-editing",
];
/** Only their inputs are kept, and only if the account chose that. */
const keptInputs: readonly ApiType[] = ["embeddings", "rerank"];

/** Whether what a run says is kept: the operator, the account, the key and the caller can each only forbid it. */
function contentsOf(
  { config }: RunsContext,
  { operation, engine }: CompiledOperation,
  body: Record<string, unknown>,
  { contents: rule }: Actor,
  declines: boolean,
): ContentsState | null {
  const { api_type: apiType, execution_mode: mode } = operation;
  if (rule === undefined || config.contents === null || mode === "async") return null;
  if (!keptKinds.includes(apiType) && !(rule.embeddings && keptInputs.includes(apiType))) return null;
  if (!rule.isOn) return "key_left_out";
  return declines || (engine === "chat" && body.store === false) ? "declined" : "kept";
}

/**
 * The requested region; null without one. Checked here because some schemas do not list `region`. Throws
 * `invalid_parameter` and `region_not_allowed`.
 */
function askedRegion(
  { region }: Record<string, unknown>,
  actor: Actor,
  allowed: readonly string[] | null,
): string | null {
  if (region === undefined || region === null) return null;
  if (typeof region !== "string") {
    const details = [{ path: "/region", keyword: "type", message: "must be a string" }];
    const message = "region must be a string: the name of a region, as GET /v1/regions lists them.";
    throw new ApiError("invalid_parameter", message, { param: "region", details });
  }
  // An empty name is refused later: no region has it.
  if (region === "" || (allowed?.includes(region) ?? true)) return region;
  const who = actor.regions?.includes(region) === false ? "key" : "account";
  throw new ApiError("region_not_allowed", `This ${who} may not use the region ${region}.`, {
    param: "region",
  });
}

function listsField({ input_schema: schema }: CatalogOperation, name: string): boolean {
  return Object.hasOwn((schema.properties as object | undefined) ?? {}, name);
}

/**
 * Notes the workload of a short key in a request that is stored and runs later, without that key. Throws
 * `invalid_parameter` for metadata that is none.
 */
export function noteWorkload(
  actor: Actor,
  { operation }: CompiledOperation,
  input: Record<string, unknown>,
): void {
  if (!actor.shortKey || listsField(operation, metadataField)) return;
  input.metadata = withWorkload(actor, metadataOf(input.metadata, undefined));
}

/** The models that the caller may use. */
function usableModels({ catalog }: RunsContext, actor: Actor): CatalogModel[] {
  return catalog.list({}, actor.accountId).data.filter(({ id }) => mayUseModel(actor, id));
}

/** The operation, if this key may use its model. Throws as `findOperation`, and `model_not_allowed`. */
export function operationFor(
  context: RunsContext,
  actor: Actor,
  apiType: ApiType | null,
  body: Record<string, unknown>,
): CompiledOperation {
  const compiled = findOperation(context, apiType, body, actor);
  assertMayUse(actor, compiled.model.id);
  return compiled;
}

/** Without `aliases`, an alias cannot be used in place of a model. */
type OperationContext = Pick<RunsContext, "catalog" | "config"> & Partial<Pick<RunsContext, "aliases">>;

/**
 * The operation of `body.model` that an account requests. If `apiType` is null, the fields of the input show
 * which one is meant; if they fit none or several, throws a 400 that names the operations. Throws
 * `model_not_found` and `operation_not_supported`.
 */
export function findOperation(
  context: OperationContext,
  apiType: ApiType | null,
  body: Record<string, unknown>,
  caller: Parameters<typeof modelNotFound>[2] & Pick<Actor, "accountId">,
): CompiledOperation {
  const { model: id } = body;
  const { accountId } = caller;
  // The fast path: most routes set the kind, and most requests name a model that has it.
  const named = apiType && typeof id === "string" ? context.catalog.operation(id, apiType, accountId) : null;
  if (named) return named;
  const model = findModel(context, id, caller);
  const wanted = apiType ?? apiTypeOf(model, body);
  const compiled = context.catalog.operation(model.id, wanted, accountId);
  if (compiled) return compiled;
  const routes = model.api_types.map((kind) => `${kind} (POST /v1${operationPaths[kind]})`).join(" and ");
  throw new ApiError(
    "operation_not_supported",
    `${model.id} does not support ${wanted}. It supports ${routes}.`,
    { param: "model" },
  );
}

function findModel(
  context: OperationContext,
  id: unknown,
  caller: Parameters<typeof findOperation>[3],
): CatalogModel {
  if (id === undefined) throw new ApiError("missing_parameter", "model is required", { param: "model" });
  if (typeof id !== "string") throw invalidParameter("model", "model must be a string");
  const model = context.catalog.model(id, caller.accountId);
  if (model) return model;
  throw modelNotFound(context, id, caller);
}

/**
 * The most specific operation whose required fields are all present: the one that requires more than the
 * others.
 */
function apiTypeOf(model: CatalogModel, body: Record<string, unknown>): ApiType {
  const operations = model.operations.map(({ api_type: apiType, input_schema: schema }) => ({
    apiType,
    required: schema.required as string[],
  }));
  const [only] = operations;
  if (only && operations.length === 1) return only.apiType;
  const fitting = operations.filter(({ required }) => required.every((name) => isPresent(body[name])));
  const best = fitting.find((candidate) =>
    fitting.every((other) => other === candidate || requiresMore(candidate.required, other.required)),
  );
  if (best) return best.apiType;
  // If every operation requires a missing field, name the field instead of asking for an operation.
  const missing = only?.required.find(
    (name) => !isPresent(body[name]) && operations.every(({ required }) => required.includes(name)),
  );
  if (missing !== undefined && operations.some(({ required }) => begins(required, body)))
    throw new ApiError(
      "missing_parameter",
      `${missing} is required${misspeltWords(missing, model.operations.flatMap(fieldsOf), body)}`,
      { param: missing },
    );
  const list = operations.map(({ apiType, required }) => {
    const fields = required.filter((name) => name !== "model").join(" and ");
    return `${apiType} (requires ${fields})`;
  });
  throw new ApiError(
    fitting.length === 0 ? "missing_parameter" : "invalid_parameter",
    `${model.id} supports ${list.join(" and ")}, and the input does not show which one you want. Complete it, or name one in the query: ?api_type=${operations.map(({ apiType }) => apiType).join(" or ?api_type=")}.`,
  );
}

function fieldsOf({ input_schema: { properties } }: CatalogModel["operations"][number]): string[] {
  return Object.keys(properties as object);
}

/** Whether the body has any field besides `model` that the operation requires. */
function begins(required: readonly string[], body: Record<string, unknown>): boolean {
  return required.some((name) => name !== "model" && isPresent(body[name]));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function requiresMore(one: readonly string[], other: readonly string[]): boolean {
  return one.length > other.length && other.every((name) => one.includes(name));
}

function assertMayUse(actor: Actor, id: string): void {
  if (mayUseModel(actor, id)) return;
  const who = actor.models?.includes(id) === false ? "key" : "account";
  throw new ApiError("model_not_allowed", `This ${who} may not use ${id}.`, { param: "model" });
}

/**
 * Checks an answer that is replayed for its `Idempotency-Key`: the answer may come from another model of the
 * alias than the one admitted for this caller. Throws `model_not_allowed`, and as `assertMayLook`.
 */
export async function assertMayHave(context: RunsContext, actor: Actor, model: string): Promise<void> {
  assertMayUse(actor, model);
  await assertMayLook(context, actor, model);
}

interface RegionChoice {
  asked: string | null;
  allowed: readonly string[] | null;
  hasOther: boolean;
  wish: RequestWish | null;
}

/** The regions where the operation can run: if it is mapped anywhere, only the mapped regions. */
function regionsOf(
  context: RunsContext,
  compiled: CompiledOperation,
  { asked, allowed, hasOther, wish }: RegionChoice,
): Pick<Admitted, "region" | "otherRegions" | "routes"> {
  const { model, operation, regionBound } = compiled;
  const all = context.providers.routes();
  const served = all.regions(model, operation);
  if (served !== null && context.config.quiet) throw new QuietError();
  const usable = served && allowed ? served.filter((name) => allowed.includes(name)) : (served ?? allowed);
  if (served?.length === 0)
    throw new ApiError(
      "service_unavailable",
      `${model.id} is not served by this gateway: no connected provider runs it. An operator can map it to one.`,
      { param: "model" },
    );
  if (served && asked !== null && !served.some((name) => name === asked))
    throw new ApiError(
      "region_not_available",
      `${model.id} is not served in "${asked}". Choose one of: ${served.join(", ")}.`,
      { param: "region" },
    );
  const routes = wish ? all.wishing(wish) : all;
  const wished = wish && wishedRegions(all, compiled, asked, usable, wish);
  const { region } = pickRegion(asked, wished ?? [usable], (among) =>
    context.catalog.pickRegion(model, asked, among, {
      runsTwice: textTypes.includes(operation.api_type),
      hasOther,
      isRouteFree: (one) => routes.isRouteFree(model, operation, one),
    }),
  );
  // The sandbox is the same in every region, so trying another region would fail too.
  const isMovable = served !== null && asked === null && !regionBound && !wish?.isFirstOnly;
  if (!isMovable) return { region, routes, otherRegions: [] };
  const others = wished?.flat() ?? model.available_regions.filter((name) => usable?.includes(name));
  return { region, routes, otherRegions: others.filter((name) => name !== region) };
}

/**
 * The regions with a provider that fits a wish, in groups: those whose best provider is wished most come first.
 * Null if the model has no region for this caller at all. Throws `provider_not_available`.
 */
function wishedRegions(
  all: Routes,
  { model, operation }: CompiledOperation,
  asked: string | null,
  usable: readonly string[] | null,
  wish: RequestWish,
): RegionName[][] | null {
  const regions = model.available_regions.filter(
    (region) => (usable?.includes(region) ?? true) && (asked ?? region) === region,
  );
  const places = regions.flatMap((region) =>
    all.route(model, operation, region).map((provider) => ({ provider, model, operation, region })),
  );
  if (places.length === 0) return null;
  const unmet = wish.leavesNone(places);
  if (unmet) throw noneFits(model.id, unmet);
  const fitting = byRank(places.filter(wish.accepts), wish.rankOf);
  const seen = new Set<RegionName>();
  return fitting.flatMap((group) => {
    const fresh = regions.filter((region) => !seen.has(region) && group.some((one) => one.region === region));
    for (const region of fresh) seen.add(region);
    return fresh.length > 0 ? [fresh] : [];
  });
}

/** The first region of the first group that has a usable one. Throws why the last group has none. */
function pickRegion(
  asked: string | null,
  groups: readonly (readonly string[] | null)[],
  pick: (among: readonly string[] | null) => ReturnType<RunsContext["catalog"]["pickRegion"]>,
): { region: RegionName } {
  let picked: ReturnType<typeof pick> | undefined;
  for (const group of groups) {
    picked = pick(group);
    if (!("code" in picked)) return picked;
  }
  const { code, message, retryAfterMs } = picked as Exclude<
    typeof picked,
    undefined | { region: RegionName }
  >;
  throw new ApiError(code, message, {
    param: asked === null ? null : "region",
    ...(retryAfterMs !== undefined && { retryAfterSeconds: retryAfterMs / 1000 }),
  });
}

function objectOf(raw: unknown): Record<string, unknown> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  return { ...(raw as Record<string, unknown>) };
}

function refuseInvalid(details: ErrorDetail[], schema: JsonSchema): void {
  const first = details[0];
  if (!first) return;
  const param = paramAt(first.path) || null;
  const code = codeOf(first);
  // Only a missing field of the body itself is described by the schema's own properties.
  const properties = first.path.lastIndexOf("/") === 0 ? { ...(schema.properties as object) } : {};
  throw new ApiError(code, faultSentence(param ?? "The body", details, properties), { param, details });
}

function codeOf(problem: ErrorDetail): ErrorCode {
  if (problem.keyword === "required") return "missing_parameter";
  return problem.path === "/region" && problem.keyword === "enum"
    ? "region_not_available"
    : "invalid_parameter";
}

/**
 * Translates OpenAI's field names of a video in place: `seconds` to the duration, `size` to resolution and
 * ratio, `input_reference` to the first frame. A name stays as it is if the operation has it itself, has no
 * equivalent, or the body has both.
 */
function openAiVideoNames({ operation }: CompiledOperation, body: Record<string, unknown>): void {
  if (operation.api_type !== "video-generation") return;
  const fields = (operation.input_schema.properties ?? {}) as Record<string, JsonSchema>;
  const translates = (name: string, own: string) =>
    body[name] !== undefined &&
    body[own] === undefined &&
    !Object.hasOwn(fields, name) &&
    Object.hasOwn(fields, own);
  if (translates("seconds", "duration")) {
    const { seconds } = body;
    body.duration = typeof seconds === "string" && seconds.trim() !== "" ? Number(seconds) : seconds;
    delete body.seconds;
  }
  if (translates("input_reference", "first_frame")) {
    const { input_reference: reference } = body;
    const named = reference as { image_url?: unknown; file_id?: unknown } | null;
    body.first_frame = typeof reference === "string" ? reference : (named?.image_url ?? named?.file_id);
    delete body.input_reference;
  }
  if (translates("size", "resolution")) sizeAsResolution(fields, body);
}

function sizeAsResolution(fields: Record<string, JsonSchema>, body: Record<string, unknown>): void {
  const sides = /^(\d{2,5})x(\d{2,5})$/.exec(String(body.size));
  if (!sides) return;
  const [width, height] = [Number(sides[1]), Number(sides[2])];
  const resolution = `${Math.min(width, height)}P`;
  const divisor = greatestCommonDivisor(width, height);
  const ratio = `${width / divisor}:${height / divisor}`;
  const ratioField = ["ratio", "aspect_ratio"].find((name) => Object.hasOwn(fields, name));
  if (!valuesOf(fields.resolution).includes(resolution)) return;
  if (ratioField && !valuesOf(fields[ratioField]).includes(ratio)) return;
  body.resolution = resolution;
  if (ratioField) body[ratioField] ??= ratio;
  delete body.size;
}

function valuesOf(schema: JsonSchema | undefined): readonly unknown[] {
  return Array.isArray(schema?.enum) ? schema.enum : [];
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? Math.max(1, one) : greatestCommonDivisor(other, one % other);
}
