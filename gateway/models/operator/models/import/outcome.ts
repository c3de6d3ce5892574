import type { JsonSchema } from "#contract/catalog.ts";
import type { UpstreamModel } from "#gateway/models/providers/descriptions/upstream-model.ts";
import { isRecord, recordOf } from "#gateway/models/providers/http/read-body.ts";

/** What a model makes. */
export type Outcome = "image" | "audio" | "video" | "text" | "other";

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
/** Strong words first: a model that makes a video from an image has both. */
const byWord: [Outcome, RegExp][] = [
  ["video", /video|animat|movie|i2v|t2v|film/i],
  ["audio", /speech|\btts\b|audio|music|voice|sound|song/i],
  ["other", /\b3d\b|mesh|gaussian|point cloud|\bzip\b|train/i],
  ["image", /image|picture|photo|paint|draw|diffusion|upscal|portrait|background|flux/i],
];

/** What the model makes, and whether that is certain or only guessed from words. */
export function outcomeOf(model: UpstreamModel): { outcome: Outcome; certain: boolean } {
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

/** The addresses in an example's output. */
function filesIn(value: unknown, depth = 0): string[] {
  if (depth > 4) return [];
  if (typeof value === "string") return /^https?:\/\//.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => filesIn(one, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((one) => filesIn(one, depth + 1)) : [];
}

/** The properties of an output that hold files (an empty name: the output itself); null when there are none. */
export function fileNamesIn(output: JsonSchema | null): string[] | null {
  if (output === null) return null;
  if (isFile(output)) return [""];
  const names = Object.entries(recordOf(output.properties))
    .filter(([, property]) => isFile(recordOf(property)))
    .map(([name]) => name);
  return names.length > 0 ? names : null;
}

/** A file is an address, fal's object with a `url`, or a list of either. */
function isFile(schema: JsonSchema, depth = 0): boolean {
  if (depth > 3) return false;
  if (typeof schema["x-svc-media"] === "string" || schema.format === "uri") return true;
  if (isRecord(schema.items)) return isFile(schema.items, depth + 1);
  const branches = [schema.anyOf, schema.oneOf].flat().filter(isRecord);
  if (branches.length > 0) return branches.some((branch) => isFile(branch, depth + 1));
  return "url" in recordOf(schema.properties);
}

/** Words, and perhaps subtitles as a file. */
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
