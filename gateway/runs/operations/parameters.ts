import { byName } from "#contract/by-name.ts";
import type { ApiType, CatalogModel, CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { operationPaths } from "#contract/catalog-constants.ts";
import { countCharacters } from "#contract/characters.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";

/**
 * Checks the rules of an operation that its schema does not express. Throws `invalid_parameter` or
 * `input_too_large`, naming the parameter and the models in `usable` that have it.
 */
export function checkParameters(
  compiled: CompiledOperation,
  body: Record<string, unknown>,
  usable: () => readonly CatalogModel[],
): void {
  checkLimits(compiled.operation, body);
  refuseUnsupported(compiled, body, usable);
}

/** The most choices (`n`) of one chat. */
const maxChoices = 8;

/** Rules for a kind of operation that are not in the entries' schemas. */
const chatExtras = byName<(value: unknown) => string | null>({
  stream: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  temperature: (value) =>
    typeof value === "number" && value >= 0 && value <= 2 ? null : "must be a number from 0 to 2",
  top_p: (value) =>
    typeof value === "number" && value >= 0 && value <= 1 ? null : "must be a number from 0 to 1",
  n: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxChoices
      ? null
      : `must be a whole number from 1 to ${maxChoices}`,
  tools: (value) => (Array.isArray(value) ? null : "must be an array"),
});
const chatRules = Object.entries(chatExtras);

/**
 * Checks the limits of an operation that its schema does not express (specification, "Limits"). Byte limits
 * of media are checked where the bytes are read.
 */
function checkLimits(operation: CatalogOperation, body: Record<string, unknown>): void {
  const limits = operation.limits;
  const limit = (name: string): number | null => (typeof limits[name] === "number" ? limits[name] : null);

  const maxPrompt = limit("maxPromptCharacters");
  if (maxPrompt !== null) checkLength("prompt", body.prompt, maxPrompt);
  const maxInput = limit("maxInputCharacters");
  if (maxInput !== null) checkLength("input", body.input, maxInput);

  if (operation.api_type === "chat-completions") {
    for (const [name, check] of chatRules) {
      const problem = body[name] === undefined || body[name] === null ? null : check(body[name]);
      if (problem) throw invalidParameter(name, `${name} ${problem}`);
    }
    for (const name of ["max_tokens", "max_completion_tokens"])
      checkTokens(name, body[name], limit("maxOutputTokens"));
    checkContext(operation, body);
  }
}

function checkLength(param: string, value: unknown, max: number): void {
  if (typeof value !== "string") return;
  const length = countCharacters(value);
  if (length > max)
    throw new ApiError("input_too_large", `${param} has ${length} characters; at most ${max} are accepted.`, {
      param,
    });
}

function checkTokens(param: string, value: unknown, max: number | null): void {
  if (value === undefined || value === null) return;
  if (!Number.isInteger(value) || Number(value) < 1 || (max !== null && Number(value) > max))
    throw invalidParameter(param, `${param} must be a whole number from 1 to ${max ?? "the model's limit"}`);
}

/**
 * Parameters that shape the answer, each with its neutral values. An operation that does not support one
 * rejects it, because ignoring it would give a different answer than requested. Other unknown names are only
 * listed in `x-svc-ignored-params`.
 */
const decisive = byName<readonly string[]>({
  // The form of the answer.
  stream: ["false"],
  stream_format: ["audio"],
  n: ["1"],
  num_outputs: ["1"],
  partial_images: ["0"],
  output_format: [],
  output_compression: ["100"],
  // Inputs that the operation works on.
  image: [],
  images: [],
  mask: [],
  video: [],
  audio: [],
  audio_url: [],
  input_reference: [],
  first_frame: [],
  last_frame: [],
  last_image: [],
  reference_images: [],
  reference_videos: [],
  reference_audios: [],
  // Look and sound of the result.
  prompt: [],
  negative_prompt: [],
  seed: [],
  loras: [],
  high_noise_loras: [],
  low_noise_loras: [],
  size: ["auto"],
  width: [],
  height: [],
  ratio: [],
  aspect_ratio: [],
  resolution: [],
  duration: [],
  seconds: [],
  background: ["auto", "opaque"],
  quality: ["auto", "standard"],
  style: [],
  input_fidelity: ["low"],
  speed: ["1"],
  instructions: [],
  // Chat.
  functions: [],
  function_call: ["auto", "none"],
  modalities: ["text"],
  logprobs: ["false"],
  top_logprobs: ["0"],
  web_search_options: [],
});

/** Parameters that shape the answer in other operations, but here only help to recognise words. */
const hints: Partial<Record<ApiType, readonly string[]>> = { "audio-transcription": ["prompt"] };

/** Formats of a transcription. */
const transcriptionFormats = ["json", "text", "srt", "vtt", "verbose_json"] as const;

const streamedFormats: readonly unknown[] = [undefined, null, "json", "text"];

/** Whether a transcription should be streamed as events. In a multipart body the value is text. */
export function isStreamedText(apiType: ApiType, { stream }: Record<string, unknown>): boolean {
  return apiType === "audio-transcription" && (stream === true || stream === "true");
}

/** Whether a parameter shapes only our answer: the gateway applies or refuses it, and never forwards it. */
export function shapesAnswer(apiType: ApiType, name: string): boolean {
  if (name === "timestamp_granularities" || name === "stream") return apiType === "audio-transcription";
  return name === "response_format";
}

/** Throws `invalid_parameter` for a parameter that requests a different answer but would be ignored. */
function refuseUnsupported(
  compiled: CompiledOperation,
  body: Record<string, unknown>,
  usable: () => readonly CatalogModel[],
): void {
  const { operation } = compiled;
  for (const name of compiled.unlisted(body)) {
    const neutral = decisive[name];
    if (!neutral || hints[operation.api_type]?.includes(name)) continue;
    if (name === "stream" && isStreamedText(operation.api_type, body)) continue;
    if (asksForNothing(body[name]) || neutral.includes(String(body[name]))) continue;
    const better = instead(compiled, name) || whereElse(compiled, name, usable());
    throw invalidParameter(name, `${name} is not supported by ${operation.id}. ${better}`.trim());
  }
  refuseFormat(operation, body.response_format);
  if (operation.api_type !== "audio-transcription") return;
  for (const granularity of [body.timestamp_granularities ?? []].flat())
    if (granularity !== "segment" && !(granularity === "word" && body.response_format === "verbose_json"))
      throw invalidParameter(
        "timestamp_granularities",
        "timestamp_granularities must be segment, or word with response_format verbose_json",
      );
  if (isStreamedText(operation.api_type, body) && !streamedFormats.includes(body.response_format))
    throw invalidParameter(
      "stream",
      "A transcription streams as json or text. Leave out stream for other formats.",
    );
}

function refuseFormat({ id, api_type: apiType, execution_mode: mode }: CatalogOperation, format: unknown) {
  const formats = formatsOf(apiType, mode);
  if (formats === null || isUnset(format) || formats.some((known) => known === format)) return;
  const message =
    formats.length === 0
      ? `response_format is not supported by ${id}.`
      : `response_format of ${id} must be ${formats.join(" or ")}`;
  throw invalidParameter("response_format", message);
}

/** The gateway makes these formats itself, from the WAV that every provider can return. */
const ownSpeechFormats = ["wav", "mp3", "pcm"] as const;
/** These formats are requested from providers that support them. */
const otherSpeechFormats = ["opus", "aac", "flac"] as const;

const speechFormats: readonly string[] = [...ownSpeechFormats, ...otherSpeechFormats];

/** The values of `response_format`; null if the schema lists them. */
function formatsOf(apiType: ApiType, mode: CatalogOperation["execution_mode"]): readonly string[] | null {
  switch (apiType) {
    case "chat-completions":
      return null;
    case "text-to-speech":
      return speechFormats;
    case "audio-transcription":
      return transcriptionFormats;
    case "image-generation":
    case "image-editing":
      return mode === "async" ? ["url"] : ["url", "b64_json"];
    case "voice-management":
    case "video-generation":
    case "embeddings":
    case "rerank":
      return [];
  }
}

/** For each parameter, other parameters that can replace it. */
const alternatives = byName<readonly string[]>({
  size: ["width", "height", "resolution", "ratio"],
  width: ["size", "resolution", "ratio"],
  height: ["size", "resolution", "ratio"],
  ratio: ["size", "width", "height", "resolution"],
  aspect_ratio: ["ratio", "size", "width", "height", "resolution"],
  resolution: ["size", "width", "height"],
  num_outputs: ["n"],
  seconds: ["duration"],
  input_reference: ["first_frame", "image"],
  first_frame: ["image"],
  image: ["first_frame"],
  images: ["image"],
  last_frame: ["last_image"],
  last_image: ["last_frame"],
  functions: ["tools"],
  function_call: ["tool_choice"],
});

/** What to use instead of a parameter that the operation does not have. */
function instead({ operation, unlisted }: CompiledOperation, name: string): string {
  const properties = operation.input_schema.properties as Record<string, JsonSchema>;
  const choices = (alternatives[name] ?? [])
    .filter((alternative) => unlisted({ [alternative]: null }).length === 0)
    .map((alternative) => `${alternative}${valuesOf(properties[alternative] ?? {})}`);
  if (choices.length > 0) return `Set ${choices.join(" and ")}.`;
  return name === "size" ? "This model chooses the size itself." : "";
}

/** Models named in a refusal. */
const maxNamed = 3;

/**
 * The operation of the same model that has a parameter, otherwise models of the same modality that have it.
 */
function whereElse({ model }: CompiledOperation, name: string, usable: readonly CatalogModel[]): string {
  const has = ({ input_schema: { properties, required } }: CatalogOperation) =>
    Object.hasOwn(properties as object, name) || (required as string[]).includes(name);
  const other = model.operations.find(has);
  if (other) return `Its ${other.api_type} has it: POST /v1${operationPaths[other.api_type]}.`;
  const able = usable.filter(
    ({ modality, operations }) => modality === model.modality && operations.some(has),
  );
  if (able.length === 0) return "";
  const names = able.slice(0, maxNamed).map(({ id }) => id);
  return `These models have it: ${names.join(", ")}${able.length > maxNamed ? " and others" : ""}.`;
}

function valuesOf({ enum: choices, minimum, maximum }: JsonSchema): string {
  if (Array.isArray(choices)) return ` (${choices.join(", ")})`;
  return typeof maximum === "number" ? ` (${String(minimum)} to ${maximum})` : "";
}

/** Clients send null for omitted parameters. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Values that clients and forms send for an empty field, meaning "not set". */
function asksForNothing(value: unknown): boolean {
  return isUnset(value) || value === "" || (Array.isArray(value) && value.length === 0);
}

/**
 * No model's tokenizer averages more characters of ordinary text per token, so this gives the smallest
 * possible token count: a conversation that fits is never refused, and near the limit the model itself
 * counts.
 */
const maxCharactersPerToken = 6;

/**
 * Throws `input_too_large` for a conversation that cannot fit: into the model's input (`maxInputTokens`), or
 * together with the longest requested answer into its context (`contextWindowTokens`).
 */
function checkContext({ limits }: CatalogOperation, body: Record<string, unknown>): void {
  const { maxInputTokens, contextWindowTokens } = limits;
  if (typeof maxInputTokens !== "number" && typeof contextWindowTokens !== "number") return;
  const atLeast = Math.floor(charactersOf(body.messages) / maxCharactersPerToken);
  if (typeof maxInputTokens === "number" && atLeast > maxInputTokens)
    throw tooLong(atLeast, `the model reads ${words(maxInputTokens)}`);
  const answer = body.max_completion_tokens ?? body.max_tokens;
  const whole = atLeast + (typeof answer === "number" ? answer : 0);
  if (typeof contextWindowTokens === "number" && whole > contextWindowTokens)
    throw tooLong(
      atLeast,
      `its context has ${words(contextWindowTokens)}${typeof answer === "number" ? `, of which the answer may take ${words(answer)}` : ""}`,
    );
}

function charactersOf(messages: unknown): number {
  let sum = 0;
  for (const { content } of recordsOf(messages)) {
    if (typeof content === "string") sum += content.length;
    else for (const part of recordsOf(content)) sum += textOf(part.text)?.length ?? 0;
  }
  return sum;
}

function tooLong(atLeast: number, limit: string): ApiError {
  return new ApiError(
    "input_too_large",
    `messages has at least ${words(atLeast)} tokens, counted at ${maxCharactersPerToken} characters each; ${limit}.`,
    { param: "messages" },
  );
}

const words = (count: number) => count.toLocaleString("en");

/** The format to request from the provider; undefined for formats that the gateway makes itself. */
export function askedOfProvider(format: unknown): string | undefined {
  return otherSpeechFormats.find((one) => one === format);
}

/** Throws a 400 before anything is sent if the provider cannot answer in the requested form. */
export function refuseUnable(provider: Provider, { wantsWords, speechFormat }: ProviderRequest): void {
  if (wantsWords && !provider.givesWords)
    throw unable(
      "timestamp_granularities",
      `timestamp_granularities cannot have word here: ${provider.id}, which runs this model, does not report word timings.`,
    );
  const formats = provider.speechFormats ?? [];
  if (speechFormat !== undefined && !formats.includes(speechFormat))
    throw unable(
      "response_format",
      `response_format must be ${[...ownSpeechFormats, ...formats].join(" or ")} here: ${provider.id}, which runs this model, makes no ${speechFormat}.`,
    );
}

function unable(param: string, message: string): ProviderError {
  return new ProviderError("invalid_parameter", message, { started: "no", final: true, param });
}
