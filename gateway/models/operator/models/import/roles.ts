import { byName } from "#contract/by-name.ts";
import type { ApiType, JsonSchema } from "#contract/catalog.ts";
import { mediaPaths } from "#gateway/models/catalog/compile.ts";
import { invalidSchema } from "#gateway/models/catalog/entry.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";

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

/** The field with the prompt; null if there is none. */
export function promptOf(properties: Record<string, JsonSchema>): string | null {
  const isText = (name: string): boolean => {
    const { type, enum: choices, "x-svc-media": media } = properties[name] ?? {};
    return [type].flat().includes("string") && choices === undefined && media === undefined;
  };
  return promptNames.find(isText) ?? null;
}

export function promptNameOf(kind: ApiType): string {
  return kind === "text-to-speech" ? "input" : "prompt";
}

/** The kinds of media that an input accepts, and those that it requires. */
export function mediaKindsOf(input: JsonSchema): { media: string[]; requiredMedia: string[] } {
  const paths = mediaPaths(input);
  const required = Array.isArray(input.required) ? input.required : [];
  return {
    media: paths.map(({ kind }) => kind),
    requiredMedia: paths.filter(({ steps }) => required.includes(steps[0])).map(({ kind }) => kind),
  };
}

/**
 * Maps the entry's field names to the upstream's. Fields get the gateway's standard name, if there is one,
 * because clients know it. Throws `invalid_schema` if a chosen prompt field does not exist, or if the kind
 * needs a prompt and there is none.
 */
export function renamesOf(
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

/** The schema's fields with the entry's names, in the same order. */
export function renamed(
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
