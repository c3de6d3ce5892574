import { type ApiType, apiTypes, type CatalogModel } from "#contract/catalog.ts";
import { newId } from "#contract/ids.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import type { EdgesContext } from "#gateway/edges/context.ts";
import { reserveFiles } from "#gateway/files/storage/remove-files.ts";
import { kindWordsOf } from "#gateway/models/catalog/catalog.ts";
import { Clearance } from "#gateway/models/catalog/clearance.ts";
import { modelNotFound } from "#gateway/models/catalog/model-not-found.ts";
import { recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { mayUseModel } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { waitForPrediction } from "#gateway/runs/predictions/follow.ts";
import { findPrediction } from "#gateway/runs/predictions/read.ts";
import type { Caller } from "./caller.ts";

const usualCount = 10;

export const maxModels = 50;

const maxWords = 12;

interface Search {
  query?: string;
  kind?: ApiType;
  limit?: number;
}

/** In seconds: clients give up a call after a minute. */
export const longestWait = 50;

const usualWait = 25;

/** The interval of progress messages to a waiting agent: many clients wait longer if they get them. */
const tellSeconds = 5;

/** An agent reads every character, so longer texts are cut. */
const maxCharacters = 40_000;

interface RunAsked {
  model: string;
  operation?: ApiType;
  input: Record<string, unknown>;
  wait_seconds?: number;
  idempotency_key?: string;
}

/**
 * A caller that waits for a run. It gets progress messages until `signal` reports that it has disconnected.
 */
export interface Waiting {
  signal: AbortSignal;
  tell(seconds: number, status: string): Promise<void>;
}

/** Runs a model through the API's route for any operation, and returns its answer. */
export async function begin(caller: Caller, asked: RunAsked, waiting: Waiting) {
  const { model, operation, input, idempotency_key: key } = asked;
  await refuseForPerson(caller, model, input);
  const { stream: _, response_format: format, ...rest } = input;
  // Files are returned as URLs.
  const sent = format === undefined || format === "b64_json" ? rest : { ...rest, response_format: format };
  const query = operation ? `?api_type=${operation}` : "";
  const progress = sendProgress(waiting, "processing");
  return caller
    .ask("POST", `/models/${pathOf(caller, model)}/predictions${query}`, {
      body: { input: sent },
      ...(key !== undefined && { headers: { "idempotency-key": key } }),
    })
    .finally(progress.end);
}

/** The result of a started run, if it ends while the agent waits. */
export async function awaited(
  caller: Caller,
  made: Record<string, unknown>,
  seconds: number | undefined,
  waiting: Waiting,
) {
  if (!isRow(made)) return shown(caller, made);
  // The run has started: even if reading its state fails now, the agent must get its id.
  const run = await getRun(caller, String(made.id), seconds, waiting).catch(() => shown(caller, made));
  return { ...run, ...ignoredOf(made) };
}

/** A run as the API returns it. */
export function readRun(caller: Caller, id: string) {
  return caller.ask("GET", pathOfRun(id));
}

export async function cancelRun(caller: Caller, id: string) {
  return shown(caller, await caller.ask("POST", `${pathOfRun(id)}/cancel`));
}

/** A run's current state, or its result if it ends while the agent waits. */
export async function getRun(caller: Caller, id: string, seconds: number = usualWait, waiting: Waiting) {
  const read = () => readRun(caller, id);
  const now = await read();
  const status = String(now.status);
  if (isTerminal(status) || seconds === 0) return shown(caller, now);
  const row = await findPrediction(caller.context, caller.actor.accountId, id);
  const progress = sendProgress(waiting, status);
  await waitForPrediction(caller.context, row, seconds, waiting.signal).finally(progress.end);
  return shown(caller, await read());
}

/** Sends progress at once and every few seconds. */
function sendProgress({ tell }: Waiting, status: string) {
  let seconds = 0;
  const say = () => {
    // The client does not listen any more.
    tell(seconds, status).catch(() => clearInterval(timer));
    seconds += tellSeconds;
  };
  const timer = setInterval(say, tellSeconds * 1000);
  say();
  return { end: () => clearInterval(timer) };
}

/** Whether the result is a stored prediction, which can be read again; other results are complete. */
export function isRow(made: Record<string, unknown>): boolean {
  return typeof made.poll_url === "string";
}

/** Dots and slashes would lead to a different route. */
function pathOfRun(id: string): string {
  if (!/^\w+$/.test(id))
    throw new ApiError(
      "prediction_not_found",
      `There is no prediction ${id}. Use the id that the tool "run" returned.`,
    );
  return `/predictions/${id}`;
}

function pathOf(caller: Caller, model: string): string {
  const names = model.split("/");
  if (names.length !== 2 || names.some((name) => /^\.{0,2}$/.test(name))) throw unknownModel(caller, model);
  return names.map(encodeURIComponent).join("/");
}

/** A run in the form that agents get. */
export async function shown(caller: Caller, run: Record<string, unknown>) {
  const { context } = caller;
  const output = await withAddresses(caller, textOf(run.model) ?? "", run.output);
  const text = typeof output === "string" ? output : JSON.stringify(output ?? null);
  const isLong = text.length > maxCharacters;
  const files = recordsOf(run.data).flatMap(({ url, content_type: type, expires_at: until }) =>
    typeof url === "string"
      ? [{ url, content_type: type, ...(until !== undefined && { expires_at: until }) }]
      : [],
  );
  const { code, message } = recordOf(run.error);
  return {
    id: textOf(run.id),
    status: textOf(run.status),
    model: textOf(run.model),
    output: isLong ? text.slice(0, maxCharacters) : (output ?? null),
    ...(isLong && {
      cut: `This is the beginning of ${text.length} characters. The complete text is available only through the API.`,
    }),
    ...(files.length > 0 && { files }),
    ...(typeof run.gated === "string" && {
      gated: `Hidden: the person of this key must attest "${run.gated}" at ${context.config.consoleUrl}/attestations.`,
    }),
    ...ignoredOf(run),
    ...(textOf(run.expires_at) && { expires_at: run.expires_at }),
    ...(code !== undefined && { error: { code, message } }),
    ...(isRow(run) && {
      ...(run.sandbox === true && { note: "Made by the built-in sandbox: no model ran." }),
      page: `${context.config.consoleUrl}/predictions/${textOf(run.id)}`,
      ...(!isTerminal(String(run.status)) && { next: `get_run ${textOf(run.id)}` }),
    }),
  };
}

/** The parameters that the model ignored, so that an agent stops sending them. */
function ignoredOf({ ignored_params: ignored }: Record<string, unknown>): { ignored_params?: string } {
  return typeof ignored === "string" ? { ignored_params: ignored } : {};
}

/** Replaces base64 in an answer with the file's URL. */
async function withAddresses({ context, actor }: Caller, model: string, output: unknown): Promise<unknown> {
  return Array.isArray(output)
    ? Promise.all(output.map((one) => asAddress(context, actor.accountId, model, one)))
    : asAddress(context, actor.accountId, model, output);
}

const confirmation = "person_rights_confirmed";

type Need = "adult" | "portrait_rights" | "person_rights_each_time";

/**
 * Refuses decisions that only a person may make, with a link for that person. An agent can never confirm
 * rights for people in its input, and a model that needs an attestation runs only with a key that names this
 * model, because then a person chose the model for this agent. Throws the message for the person.
 */
async function refuseForPerson(
  { context, actor }: Caller,
  model: string,
  input: Record<string, unknown>,
): Promise<void> {
  const { consoleUrl } = context.config;
  if (Object.hasOwn(input, confirmation))
    throw new ApiError(
      "person_rights_confirmation_required",
      `An agent cannot confirm ${confirmation}. Ask the person to run the model at ${consoleUrl}/catalog/${model}.`,
      { param: confirmation },
    );
  for (const id of await modelsBehind({ context, actor }, model)) {
    const entry = context.catalog.model(id, actor.accountId);
    const needs = entry ? personNeeded(entry) : [];
    if (needs.includes("person_rights_each_time"))
      throw new ApiError(
        "person_rights_confirmation_required",
        `A person must confirm each run of ${id}. Ask them to run the model at ${consoleUrl}/catalog/${id}.`,
      );
    if (needs.length > 0 && !actor.models?.includes(id))
      throw new ApiError(
        "model_not_allowed",
        `${id} needs an attestation (${needs.join(", ")}), so an agent may run it only with a key that names it among its models. Ask the person to make one at ${consoleUrl}/keys.`,
      );
  }
}

/** The confirmations that only a person can give and that the model requires. */
function personNeeded({ safety_requirements: safety }: CatalogModel): Need[] {
  const needs: [boolean, Need][] = [
    [safety.adult_attestation_required, "adult"],
    [safety.portrait_rights_attestation_required, "portrait_rights"],
    [safety.per_request_person_rights_confirmation_required, "person_rights_each_time"],
  ];
  return needs.filter(([isNeeded]) => isNeeded).map(([, need]) => need);
}

/** The model itself, or all models of an alias. */
async function modelsBehind({ context, actor }: Pick<Caller, "context" | "actor">, name: string) {
  if (context.catalog.has(name, actor.accountId)) return [name];
  const alias = await context.aliases.find(actor.accountId, name);
  return alias?.models ?? [];
}

const keptMs = 3_600_000;

const dataUri = /^data:([\w.+-]+\/[\w.+-]+)[^,]{0,200};base64,/;

/**
 * Replaces a file that an answer contains as text with a URL that is valid for an hour, because base64 would
 * fill the agent's context. Anything else is returned unchanged.
 */
async function asAddress(
  context: EdgesContext,
  accountId: string,
  model: string,
  value: unknown,
): Promise<unknown> {
  const start = typeof value === "string" ? dataUri.exec(value) : null;
  if (typeof value !== "string" || !start) return value;
  const [prefix, contentType = ""] = start;
  const bytes = Buffer.from(value.slice(prefix.length), "base64");
  const id = newId("generation");
  const key = `outputs/${id}/0`;
  const until = new Date(clock.now() + keptMs);
  const files = [{ key, sizeBytes: bytes.length }];
  await reserveFiles(context.database.queries, { id, accountId, files, until });
  await context.store.put(key, bytes, { contentType });
  return Clearance.full.addresses(context, { model, key, contentType, expiresAt: until }).url;
}

/** The models that the caller's key may use, best matches first. */
export function searchModels({ context, actor }: Caller, { query = "", kind, limit = usualCount }: Search) {
  const words = query.toLowerCase().split(/\s+/, maxWords).filter(Boolean);
  const found = context.catalog
    .list(kind ? { api_type: kind } : {}, actor.accountId)
    .data.filter(({ id }) => mayUseModel(actor, id))
    .map((model) => ({ model, fit: fitOf(model, words) }))
    .filter(({ fit }) => words.length === 0 || fit > 0)
    .sort((one, other) => other.fit - one.fit);
  return {
    models: found.slice(0, limit).map(({ model }) => ({
      id: model.id,
      ...(model.display_name && { name: model.display_name }),
      ...(model.description && { description: model.description }),
      kinds: model.api_types,
      person_needed: personNeeded(model),
    })),
    found: found.length,
    ...(found.length === 0 && { kinds: apiTypes, hint: "Search again with a kind, or with other words." }),
  };
}

/** How many of the words a model matches; a match in its names counts more than one in its description. */
function fitOf(model: CatalogModel, words: string[]): number {
  const names = `${model.id} ${model.display_name ?? ""}`.toLowerCase();
  const rest = `${kindWordsOf(model)} ${model.description ?? ""}`.toLowerCase();
  return words.reduce((sum, word) => sum + (names.includes(word) ? 2 : rest.includes(word) ? 1 : 0), 0);
}

/**
 * Everything that an agent needs to run a model: the fields of each operation, their limits, and an example.
 */
export function describeModel(caller: Caller, id: string, kind?: ApiType) {
  const model = modelOf(caller, id);
  const operations = model.operations.filter(({ api_type: own }) => kind === undefined || own === kind);
  if (operations.length === 0)
    throw new ApiError(
      "operation_not_supported",
      `${id} does not support ${kind}. It supports ${model.api_types.join(", ")}.`,
    );
  return {
    id,
    ...(model.display_name && { name: model.display_name }),
    ...(model.description && { description: model.description }),
    person_needed: personNeeded(model),
    operations: operations.map((one) => ({
      operation: one.api_type,
      answers: one.execution_mode === "async" ? "later, as a run to get" : "at once",
      unit: one.billing_unit,
      input_schema: one.input_schema,
      limits: one.limits,
      example_input: inputIn(one.example),
      served_by: [...new Set(one.deployments.map(({ svc_served_by: name }) => name))],
    })),
  };
}

/** The catalog entry with this name; for an alias, its first model. Throws `model_not_found`. */
function modelOf(caller: Caller, id: string): CatalogModel {
  const model = caller.context.catalog.model(id, caller.actor.accountId);
  if (model) return model;
  throw unknownModel(caller, id);
}

function unknownModel({ context, actor }: Caller, id: string): ApiError {
  const { catalog, config } = context;
  return modelNotFound({ catalog, config }, id, actor, 'Find one with the tool "search_models".');
}

function inputIn({ model: _, ...input }: Record<string, unknown>) {
  return input;
}
