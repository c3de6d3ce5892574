import type { ApiType, CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import type { CompiledOperation } from "#gateway/catalog/catalog.ts";
import { ApiError } from "#gateway/core/api-error.ts";

/**
 * Parameters that shape the answer, each with its neutral values. An operation that does not support one rejects it,
 * because ignoring it would give a different answer than requested. Other unknown names are only listed in
 * `x-svc-ignored-params`.
 */
const decisive: Record<string, readonly string[]> = {
  stream: ["false"],
  stream_format: ["audio"],
  n: ["1"],
  size: ["auto"],
  seconds: [],
  input_reference: [],
  output_format: [],
  background: ["auto", "opaque"],
  mask: [],
};

/** How a transcription can be written. */
export const transcriptionFormats = ["json", "text", "srt", "vtt", "verbose_json"] as const;

/** Whether a parameter shapes the answer: it is honoured or refused here, and never forwarded. */
export function shapesAnswer(apiType: ApiType, name: string): boolean {
  if (name === "timestamp_granularities") return apiType === "audio-transcription";
  return name === "response_format";
}

/** Throws `invalid_parameter` for a parameter that would be ignored although it asks for another answer. */
export function refuseUnsupported(
  { operation, unlisted }: CompiledOperation,
  body: Record<string, unknown>,
): void {
  for (const name of unlisted(body)) {
    const neutral = decisive[name];
    if (!neutral || isUnset(body[name]) || neutral.includes(String(body[name]))) continue;
    throw refusal(name, `${name} is not supported by ${operation.id}. ${instead(operation, name)}`.trim());
  }
  refuseFormat(operation, body.response_format);
  if (operation.api_type !== "audio-transcription") return;
  for (const granularity of [body.timestamp_granularities ?? []].flat())
    if (granularity !== "segment")
      throw refusal("timestamp_granularities", "timestamp_granularities must be segment");
}

function refuseFormat({ id, api_type: apiType, execution_mode: mode }: CatalogOperation, format: unknown) {
  const formats = formatsOf(apiType, mode);
  if (formats === null || isUnset(format) || formats.some((known) => known === format)) return;
  const message =
    formats.length === 0
      ? `response_format is not supported by ${id}.`
      : `response_format of ${id} must be ${formats.join(" or ")}`;
  throw refusal("response_format", message);
}

/** The values of `response_format`; null if the schema lists them. */
function formatsOf(apiType: ApiType, mode: CatalogOperation["execution_mode"]): readonly string[] | null {
  switch (apiType) {
    case "chat-completions":
      return null;
    case "text-to-speech":
      return ["wav"];
    case "audio-transcription":
      return transcriptionFormats;
    case "image-generation":
    case "image-editing":
      return mode === "async" ? ["url"] : ["url", "b64_json"];
    case "voice-management":
    case "video-generation":
      return [];
  }
}

/** What to use instead of a parameter that the operation does not have. */
function instead({ input_schema: schema }: CatalogOperation, name: string): string {
  const properties = schema.properties as Record<string, JsonSchema>;
  const alternatives: Record<string, string[]> = {
    size: ["width", "height", "resolution", "ratio"],
    seconds: ["duration"],
    input_reference: ["first_frame", "image"],
  };
  const choices = (alternatives[name] ?? []).flatMap((alternative) => {
    const property = properties[alternative];
    return property ? [`${alternative}${valuesOf(property)}`] : [];
  });
  if (choices.length > 0) return `Set ${choices.join(" and ")}.`;
  return name === "size" ? "The model chooses the size." : "";
}

function valuesOf({ enum: choices, minimum, maximum }: JsonSchema): string {
  if (Array.isArray(choices)) return ` (${choices.join(", ")})`;
  return typeof maximum === "number" ? ` (${String(minimum)} to ${maximum})` : "";
}

/** Clients send null for omitted parameters. */
function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

function refusal(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param });
}
