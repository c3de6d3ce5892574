import type { FieldControl, PlannedField } from "../schema-form/plan.ts";
import type { CommonInput } from "./common-input.ts";

/** More pictures than the operation that takes most. */
const mostImages = 10;

function field(name: string, title: string, hint: string | null, control: FieldControl): PlannedField {
  return { name, title, hint, required: false, schema: {}, inferred: false, advanced: false, ...control };
}

type Named<Name extends string> = PlannedField & { name: Name };

/** What most people fill in. */
export const mainFields = [
  field("text", "Prompt or text", null, { kind: "prompt", minLength: 0, maxLength: null }),
  field("images", "Pictures", null, {
    kind: "media-list",
    media: "image",
    maxBytes: null,
    min: 0,
    max: mostImages,
    positions: null,
  }),
] as Named<"text" | "images">[];

/** Other files. */
export const fileFields = [
  field("video", "Video", null, { kind: "media", media: "video", maxBytes: null }),
  field("audio", "Audio", null, { kind: "media", media: "audio", maxBytes: null }),
] as Named<"video" | "audio">[];

/** Options that several operations have under the same name. */
export const optionFields = [
  field("negative_prompt", "Negative prompt", "What should not be there.", {
    kind: "prompt",
    minLength: 0,
    maxLength: null,
  }),
  field("n", "Number of results", null, {
    kind: "number",
    min: 1,
    max: null,
    integer: true,
    step: null,
  }),
  field("duration", "Seconds", "Of a video.", {
    kind: "number",
    min: 1,
    max: null,
    integer: true,
    step: null,
  }),
  field("seed", "Seed", "The same seed makes the same picture again, where a model has one.", {
    kind: "number",
    min: 0,
    max: null,
    integer: true,
    step: null,
  }),
];

/** The names of the options of an input that have no field here: carried over from a run. */
export function carriedOptions({ options = {} }: CommonInput): string[] {
  return Object.keys(options).filter((name) => !optionFields.some((each) => each.name === name));
}
