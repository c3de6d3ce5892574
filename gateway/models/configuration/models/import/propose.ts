import { byName } from "#contract/by-name.ts";
import type { ApiType, BillingUnit, ExecutionMode, JsonSchema, Modality } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { mediaPaths } from "#gateway/models/catalog/compile.ts";
import {
  imagesOutput,
  predictionOutput,
  speechOutput,
  transcriptionOutput,
} from "#gateway/models/catalog/entries/pieces.ts";
import { type Engine, type EntryOperation, invalidSchema } from "#gateway/models/catalog/entry.ts";
import type { UpstreamModel } from "#gateway/models/providers/descriptions.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { fileKeys } from "#gateway/models/providers/media/outputs.ts";

/** Kinds whose models are imported with their own fields, and how the gateway runs each. */
const kinds: Partial<
  Record<ApiType, { engine: Engine; modality: Modality; billing: BillingUnit; mode: ExecutionMode }>
> = {
  "text-to-speech": { engine: "speech-preset", modality: "audio", billing: "character", mode: "sync" },
  "audio-transcription": { engine: "transcription", modality: "audio", billing: "second", mode: "sync" },
  "image-generation": { engine: "pictures", modality: "image", billing: "generation", mode: "async" },
  "image-editing": { engine: "edit", modality: "image", billing: "generation", mode: "async" },
  "video-generation": { engine: "video", modality: "video", billing: "second", mode: "async" },
};

/** Seconds of video to reserve from a budget if the model gives no maximum. */
const assumedSeconds = 10;

/** The operator's choices that override the proposal. */
export interface Choices {
  apiType: ApiType | undefined;
  prompt: string | null | undefined;
}

/** The proposed operation for an upstream's model, without its id and regions. */
interface Proposal {
  modality: Modality;
  operation: Omit<EntryOperation, "input_schema" | "example">;
  properties: Record<string, JsonSchema>;
  required: string[];
  /** The upstream's example, with the entry's field names. */
  sample: Record<string, unknown>;
  /** Maps the entry's field names to the upstream's. */
  rename: Record<string, string>;
  notes: string[];
}

/** Names of prompt fields, best first. */
const promptNames = [
  ...[
    "prompt",
    "text",
    "input_text",
    "text_input",
    "gen_text",
    "text_prompt",
    "positive_prompt",
    "input",
    "caption",
  ],
  ...[
    "instruction",
    "instructions",
    "edit_instruction",
    "script",
    "message",
    "lyrics",
    "query",
    "description",
  ],
];

/** The gateway's field names, each with the upstreams' names for the same field. */
const ownNames: Partial<Record<ApiType, Record<string, readonly string[]>>> = {
  "image-generation": { n: ["num_images", "num_outputs", "number_of_images", "num_samples", "max_images"] },
  "image-editing": { n: ["num_images", "num_outputs", "number_of_images", "num_samples", "max_images"] },
  "video-generation": { duration: ["seconds", "video_duration", "duration_seconds", "video_length_seconds"] },
};

/** Names with another meaning in the gateway's requests, and the new name for an upstream's field. */
const taken = byName<string>({
  model: "model_name",
  region: "region_name",
  input: "model_input",
  parameters: "model_parameters",
  person_rights_confirmed: "confirm_person_rights",
});

/**
 * Maps a model of Replicate or fal to an operation of one of the gateway's kinds: the kind, the prompt field,
 * the billing unit and the place of its files. Throws `invalid_schema` for a model that fits no kind.
 */
export function proposeOperation(model: UpstreamModel, { apiType, prompt }: Choices): Proposal {
  const properties = recordOf(model.input.properties) as Record<string, JsonSchema>;
  const notes = [...model.notes];
  const kind = apiType ?? proposedKind(model, properties, prompt, notes);
  const means = kinds[kind];
  if (!means)
    throw invalidSchema(
      `${kind} needs a provider that speaks OpenAI's protocol or DashScope's; ${model.name} runs as a job.`,
      "import.api_type",
    );
  const rename = renamesOf(kind, properties, prompt);
  const fields = renamed(model.input, rename);
  for (const [own, upstream] of Object.entries(rename))
    notes.push(`The provider's field ${upstream} is called ${own} here.`);
  const output = outputNameOf(model.output);
  if (output !== null) notes.push(`The files of a result are read from its field ${output}.`);
  const own = new Map(Object.entries(rename).map(([name, upstream]) => [upstream, name]));
  const sample = Object.entries(model.sample?.input ?? {}).map(([name, value]) => [
    own.get(name) ?? name,
    value,
  ]);
  return {
    modality: means.modality,
    operation: {
      api_type: kind,
      engine: means.engine,
      billing_unit: means.billing,
      execution_mode: means.mode,
      schema_version: 1,
      output_schema: outputSchemaOf(kind, means.mode),
      limits: limitsOf(kind, fields.properties),
      internal: { imported: true, ...(output !== null && { output }) },
    },
    ...fields,
    sample: Object.fromEntries(sample),
    rename,
    notes,
  };
}

/**
 * Maps the entry's field names to the upstream's. Fields get the gateway's standard name, if there is one,
 * because clients know it. Throws `invalid_schema` if a chosen prompt field does not exist, or if the kind
 * needs a prompt and there is none.
 */
function renamesOf(
  kind: ApiType,
  properties: Record<string, JsonSchema>,
  chosenPrompt: string | null | undefined,
): Record<string, string> {
  const renames: Record<string, string> = {};
  const rename = (own: string, upstream: string): void => {
    if (own !== upstream && properties[own] === undefined && renames[own] === undefined)
      renames[own] = upstream;
  };
  if (chosenPrompt && properties[chosenPrompt] === undefined)
    throw invalidSchema(
      `The model has no field ${chosenPrompt}. It has ${Object.keys(properties).join(", ")}.`,
      "fields.prompt",
    );
  const prompt = chosenPrompt === undefined ? promptOf(properties) : chosenPrompt;
  if (kind === "text-to-speech" && prompt === null)
    throw invalidSchema(
      "Speech is made from a text: name the field with it in fields.prompt.",
      "fields.prompt",
    );
  if (prompt !== null && kind !== "audio-transcription") renames[promptNameOf(kind)] = prompt;
  if (kind === "audio-transcription") {
    const path = mediaPaths({ properties }).find(
      ({ kind: media, steps }) => media === "audio" && steps.length === 1,
    );
    if (path?.steps[0]) renames.audio = path.steps[0];
  }
  for (const [own, names] of Object.entries(ownNames[kind] ?? {})) {
    const found = names.find((name) =>
      [properties[name]?.type].flat().some((type) => type === "integer" || type === "number"),
    );
    if (found) rename(own, found);
  }
  const renamed = new Set(Object.values(renames));
  for (const [name, instead] of Object.entries(taken))
    if (properties[name] !== undefined && !renamed.has(name)) renames[instead] = name;
  return Object.fromEntries(Object.entries(renames).filter(([own, upstream]) => own !== upstream));
}

/** The field with the prompt; null if there is none. */
function promptOf(properties: Record<string, JsonSchema>): string | null {
  const isText = (name: string): boolean => {
    const { type, enum: choices, "x-svc-media": media } = properties[name] ?? {};
    return [type].flat().includes("string") && choices === undefined && media === undefined;
  };
  return promptNames.find(isText) ?? null;
}

export function promptNameOf(kind: ApiType): string {
  return kind === "text-to-speech" ? "input" : "prompt";
}

/** The schema's fields with the entry's names, in the same order. */
function renamed(
  input: JsonSchema,
  renames: Record<string, string>,
): { properties: Record<string, JsonSchema>; required: string[] } {
  const own = new Map(Object.entries(renames).map(([name, upstream]) => [upstream, name]));
  const properties = Object.fromEntries(
    Object.entries(recordOf(input.properties)).map(([name, schema]) => [
      own.get(name) ?? name,
      recordOf(schema),
    ]),
  );
  const required = (Array.isArray(input.required) ? input.required : []).map(String);
  return { properties, required: required.map((name) => own.get(name) ?? name) };
}

function proposedKind(
  model: UpstreamModel,
  properties: Record<string, JsonSchema>,
  prompt: string | null | undefined,
  notes: string[],
): ApiType {
  const { outcome, certain } = outcomeOf(model);
  const hasText = (prompt === undefined ? promptOf(properties) : prompt) !== null;
  const kind = kindOf(model.name, outcome, { ...mediaKindsOf(model.input), hasText });
  if (!certain)
    notes.push(
      `The provider does not say what it makes; its name and fields suggest ${kind}. Change it if that is wrong.`,
    );
  return kind;
}

/** The kinds of media that an input accepts, and those that it requires. */
function mediaKindsOf(input: JsonSchema): { media: string[]; requiredMedia: string[] } {
  const paths = mediaPaths(input);
  const required = Array.isArray(input.required) ? input.required : [];
  return {
    media: paths.map(({ kind }) => kind),
    requiredMedia: paths.filter(({ steps }) => required.includes(steps[0])).map(({ kind }) => kind),
  };
}

/** The output field with the files, if the gateway would not find it by itself. */
function outputNameOf(output: JsonSchema | null): string | null {
  const names = fileNamesIn(output) ?? [];
  if (names.length === 0 || names.some((name) => name === "" || fileKeys.includes(name))) return null;
  return names[0] ?? null;
}

export function outputSchemaOf(kind: ApiType, mode: ExecutionMode): JsonSchema {
  if (mode === "async") return predictionOutput;
  if (kind === "text-to-speech") return speechOutput;
  return kind === "audio-transcription" ? transcriptionOutput : imagesOutput;
}

/** The limits that the gateway reads or shows, taken from the schema's bounds. */
function limitsOf(
  kind: ApiType,
  { n, duration, prompt, input }: Record<string, JsonSchema>,
): Record<string, unknown> {
  const limits: Record<string, unknown> = {};
  const text = kind === "text-to-speech" ? input : prompt;
  if (typeof text?.maxLength === "number")
    limits[kind === "text-to-speech" ? "maxInputCharacters" : "maxPromptCharacters"] = text.maxLength;
  if (typeof n?.maximum === "number") limits.maxOutputs = n.maximum;
  if (kind === "video-generation") limits.maxDurationSeconds = secondsOf(duration);
  return limits;
}

function secondsOf(duration: JsonSchema | undefined): number {
  const choices = Array.isArray(duration?.enum)
    ? duration.enum.map((choice) => Number.parseFloat(String(choice)))
    : [];
  const most =
    typeof duration?.maximum === "number" ? duration.maximum : Math.max(...choices.filter(Number.isFinite));
  return Number.isFinite(most) && most > 0 ? most : assumedSeconds;
}

/** The facts about inputs that help to choose the kind. */
interface Inputs {
  requiredMedia: readonly string[];
  /** All accepted kinds of media. */
  media: readonly string[];
  hasText: boolean;
}

/** The gateway's operation kind for a model. Throws `invalid_schema` with the reason if there is none. */
function kindOf(name: string, outcome: Outcome, { requiredMedia, media, hasText }: Inputs): ApiType {
  const refuse = (reason: string): never => {
    throw invalidSchema(`${name} cannot be imported: ${reason}`, "import.name");
  };
  switch (outcome) {
    case "image":
      return requiredMedia.length > 0 ? "image-editing" : "image-generation";
    case "video":
      return "video-generation";
    case "audio":
      return hasText
        ? "text-to-speech"
        : refuse("it makes audio from other media, but a speech model here needs text as its input.");
    case "text":
      if (media.includes("audio")) return "audio-transcription";
      return refuse(
        media.length > 0
          ? "it describes pictures or videos in words, and no kind of operation does that."
          : "it answers with text. Chats need a provider that speaks OpenAI's protocol; import the model from one.",
      );
    case "other":
      return refuse("its output is not an image, video, speech or text.");
  }
}

/** The kind of output that a model makes. */
type Outcome = "image" | "audio" | "video" | "text" | "other";

const byCategory: [Outcome, RegExp][] = [
  ["image", /-to-image$/],
  ["video", /-to-video$/],
  ["audio", /-to-(audio|speech|music|sound)$/],
  ["text", /-to-text$|^(llm|vision)$/],
  ["other", /./],
];

const byEnding: [Outcome, RegExp][] = [
  ["image", /\.(png|jpe?g|webp|gif|avif)$/i],
  ["video", /\.(mp4|webm|mov|mkv)$/i],
  ["audio", /\.(wav|mp3|flac|ogg|m4a|opus)$/i],
  ["other", /\.[a-z0-9]{2,5}$/i],
];

/** Strong words come first, because a model that makes a video from an image matches both words. */
const byWord: [Outcome, RegExp][] = [
  ["video", /video|animat|movie|i2v|t2v|film/i],
  ["audio", /speech|\btts\b|audio|music|voice|sound|song/i],
  ["other", /\b3d\b|mesh|gaussian|point cloud|\bzip\b|train/i],
  ["image", /image|picture|photo|paint|draw|diffusion|upscal|portrait|background|flux/i],
];

/** The kind of output, and whether that is certain or only guessed from words. */
function outcomeOf(model: UpstreamModel): { outcome: Outcome; certain: boolean } {
  if (model.category !== null)
    return { outcome: first(byCategory, model.category) ?? "other", certain: true };
  const sampled = filesIn(model.sample?.output)[0];
  const ending = sampled ? first(byEnding, URL.parse(sampled)?.pathname ?? "") : null;
  if (ending) return { outcome: ending, certain: true };
  if (model.output !== null && isTranscript(model.output)) return { outcome: "text", certain: true };
  const files = fileNamesIn(model.output);
  if (model.output !== null && files === null)
    return { outcome: isText(model.output) ? "text" : "other", certain: true };
  const named = (files ?? []).map((name) => first(byWord, name)).find((outcome) => outcome !== null);
  if (named) return { outcome: named, certain: true };
  return {
    outcome: first(byWord, `${model.name} ${model.description ?? ""}`.replaceAll(/[-_/]/g, " ")) ?? "image",
    certain: false,
  };
}

function first(table: readonly [Outcome, RegExp][], text: string): Outcome | null {
  return table.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** The URLs in an example's output. */
function filesIn(value: unknown, depth = 0): string[] {
  if (depth > 4) return [];
  if (typeof value === "string") return /^https?:\/\//.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => filesIn(one, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((one) => filesIn(one, depth + 1)) : [];
}

/** The output's properties that hold files (an empty name: the output itself); null if there are none. */
function fileNamesIn(output: JsonSchema | null): string[] | null {
  if (output === null) return null;
  if (isFile(output)) return [""];
  const names = Object.entries(recordOf(output.properties))
    .filter(([, property]) => isFile(recordOf(property)))
    .map(([name]) => name);
  return names.length > 0 ? names : null;
}

/** A file is a URL, fal's object with a `url`, or a list of either. */
function isFile(schema: JsonSchema, depth = 0): boolean {
  if (depth > 3) return false;
  if (typeof schema["x-svc-media"] === "string" || schema.format === "uri") return true;
  if (isRecord(schema.items)) return isFile(schema.items, depth + 1);
  const branches = [schema.anyOf, schema.oneOf].flat().filter(isRecord);
  if (branches.length > 0) return branches.some((branch) => isFile(branch, depth + 1));
  return "url" in recordOf(schema.properties);
}

/** Whether the output is a text, perhaps with subtitles as a file. */
function isTranscript({ properties }: JsonSchema): boolean {
  const { transcription, text } = recordOf(properties);
  return recordOf(transcription ?? text).type === "string";
}

function isText(schema: JsonSchema): boolean {
  if (schema.type === "string") return true;
  if (schema.type === "array") return isText(recordOf(schema.items));
  const names = Object.keys(recordOf(schema.properties));
  return names.some((name) => ["text", "transcription", "output", "segments", "chunks"].includes(name));
}
