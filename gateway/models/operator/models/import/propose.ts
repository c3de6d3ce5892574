import type { ApiType, BillingUnit, ExecutionMode, JsonSchema, Modality } from "#contract/catalog.ts";
import type { Engine, EntryOperation } from "#gateway/models/catalog/entry.ts";
import { invalidSchema } from "#gateway/models/catalog/invalid-schema.ts";
import {
  imagesOutput,
  predictionOutput,
  speechOutput,
  transcriptionOutput,
} from "#gateway/models/catalog/pieces/outputs.ts";
import type { UpstreamModel } from "#gateway/models/providers/descriptions/upstream-model.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { fileKeys } from "#gateway/models/providers/media/outputs.ts";
import { fileNamesIn, type Outcome, outcomeOf } from "./outcome.ts";
import { mediaKindsOf, promptOf, renamed, renamesOf } from "./roles.ts";

/** Kinds whose models are imported with their own fields, each with what the gateway runs them as. */
const kinds: Partial<
  Record<ApiType, { engine: Engine; modality: Modality; billing: BillingUnit; mode: ExecutionMode }>
> = {
  "text-to-speech": { engine: "speech-preset", modality: "audio", billing: "character", mode: "sync" },
  "audio-transcription": { engine: "transcription", modality: "audio", billing: "second", mode: "sync" },
  "image-generation": { engine: "pictures", modality: "image", billing: "generation", mode: "async" },
  "image-editing": { engine: "edit", modality: "image", billing: "generation", mode: "async" },
  "video-generation": { engine: "video", modality: "video", billing: "second", mode: "async" },
};
/** Seconds to reserve from a budget for a video whose model does not say how long it can be. */
const assumedSeconds = 10;

/** What the operator decided against the proposal. */
export interface Choices {
  apiType: ApiType | undefined;
  prompt: string | null | undefined;
}

/** An operation as it is proposed for an upstream's model, without what the entry's id and regions add. */
export interface Proposal {
  modality: Modality;
  operation: Omit<EntryOperation, "input_schema" | "example">;
  properties: Record<string, JsonSchema>;
  required: string[];
  /** The upstream's example under the entry's names. */
  sample: Record<string, unknown>;
  /** The entry's name of a field: the upstream's. */
  rename: Record<string, string>;
  notes: string[];
}

/**
 * How a model of Replicate or fal becomes an operation of one of the gateway's kinds: which kind, which field is the
 * prompt, what is billed and where its files are. Throws `invalid_schema` for a model that fits no kind.
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
  for (const [own, upstream] of Object.entries(rename)) notes.push(`${upstream} is called ${own} here.`);
  const output = outputNameOf(model.output);
  if (output !== null) notes.push(`Its files are read from ${output}.`);
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

/** Where the files are if the gateway would not look there by itself. */
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

/** The limits that the gateway itself reads or shows, from the schema's bounds. */
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

/** What decides between the kinds, beside the outcome. */
interface Inputs {
  /** The kinds of media without which it does not run. */
  requiredMedia: readonly string[];
  /** All kinds of media that it accepts. */
  media: readonly string[];
  hasText: boolean;
}

/** Which of the gateway's kinds of operation a model is. Throws `invalid_schema` with the reason if it is none. */
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
        : refuse("it makes audio from other media, and speech is made from a text here.");
    case "text":
      if (media.includes("audio")) return "audio-transcription";
      return refuse(
        media.length > 0
          ? "it describes pictures or videos in words, and no kind of operation does that."
          : "it answers with text. Chats need a provider of OpenAI's protocol; import the model from one.",
      );
    case "other":
      return refuse("its output is not an image, video, speech or text.");
  }
}
