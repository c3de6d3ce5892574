import type { ApiType } from "#contract/catalog-constants.ts";
import type { Words } from "@/messages/words";
import { type JsonObject, numberOf } from "../schema-form/json.ts";
import { valueLabel } from "../schema-form/labels.ts";
import { withContent } from "../schema-form/messages.ts";
import type { PlannedField } from "../schema-form/plan.ts";
import { satisfies } from "../schema-form/validator.ts";
import type { Candidate } from "./candidates.ts";
import { type CommonInput, filesOf, type MediaFamily } from "./common-input.ts";

export interface ComparedRow {
  /** In the format of `POST /batches`. */
  row: JsonObject & { model: string; api_type: ApiType };
  /**
   * The differences between this model's input and the common one: "Takes no negative prompt and makes 1
   * picture instead of 4."
   */
  differs: string | null;
}

/**
 * The row of a comparison for one candidate. `own` has the values that the user gave for this candidate only.
 */
export function rowFor(
  candidate: Candidate,
  input: CommonInput,
  t: Words<"compare">,
  own: JsonObject = {},
): ComparedRow {
  const { model, apiType, fixed, slots } = candidate;
  const differences: Differences = { lacks: [], changes: [] };
  const files = filesFor(candidate, input, differences, t);
  const body: JsonObject = {
    ...fixed,
    ...candidate.preset,
    ...optionsFor(candidate, input, differences, t),
    ...modeFor(candidate, files),
    ...own,
    ...textFor(candidate, input, differences, t),
    ...(slots.text === "messages" ? {} : files),
  };
  return { row: { ...body, model, api_type: apiType }, differs: sentenceOf(differences, t) };
}

interface Differences {
  /** Inputs that the model does not accept. */
  lacks: string[];
  /** Inputs that the model accepts in another way. */
  changes: string[];
}

function textFor(
  { slots, apiType }: Candidate,
  input: CommonInput,
  differences: Differences,
  t: Words<"compare">,
): JsonObject {
  const { text, earlier = [] } = input;
  if (earlier.length > 0 && slots.text !== "messages") differences.lacks.push(t("earlierMessages"));
  if (slots.text === "messages") {
    const pictures = slots.media.image ? filesOf(input, "image") : [];
    const last = withContent({ role: "user" }, text ?? "", pictures);
    return text || pictures.length > 0 ? { messages: [...earlier, last] } : { messages: earlier };
  }
  if (!text) return {};
  if (slots.text !== null) return { [slots.text]: text };
  differences.lacks.push(t(apiType === "audio-transcription" ? "aText" : "aPrompt"));
  return {};
}

const families = ["image", "video", "audio"] as const satisfies readonly MediaFamily[];

function filesFor(
  { slots }: Candidate,
  input: CommonInput,
  differences: Differences,
  t: Words<"compare">,
): JsonObject {
  const body: JsonObject = {};
  for (const family of families) {
    const files = filesOf(input, family);
    const slot = slots.media[family];
    if (!slot || files.length === 0) continue;
    const used = files.slice(0, slot.max ?? files.length);
    if (used.length < files.length)
      differences.changes.push(
        used.length === 1
          ? t("usesTheFirst", { family, count: files.length })
          : t("usesTheFirstOf", { family, used: used.length, count: files.length }),
      );
    for (const [at, position] of (slot.positions ?? []).entries())
      differences.changes.push(t("usesAs", { family, number: at + 1, position: position.toLowerCase() }));
    if (slot.shape === "one") body[slot.field] = used[0];
    else if (slot.shape === "list") body[slot.field] = used;
    else body[slot.field] = used.map((url) => ({ ...(slot.type && { type: slot.type }), url }));
  }
  return body;
}

/** The files decide the mode of a video operation. */
function modeFor({ fields }: Candidate, files: JsonObject): JsonObject {
  const mode = fields.find(({ name }) => name === "mode");
  if (mode?.kind !== "choice") return {};
  const wanted = "first_frame" in files ? "image-to-video" : "text-to-video";
  return mode.values.includes(wanted) ? { mode: wanted } : {};
}

function optionsFor(
  { fields, apiType }: Candidate,
  { options = {} }: CommonInput,
  differences: Differences,
  t: Words<"compare">,
): JsonObject {
  const body: JsonObject = {};
  for (const [name, value] of Object.entries(options)) {
    const field = fields.find((each) => each.name === name);
    const title = t("optionNamed", { name, title: name.replaceAll("_", " ") });
    if (field && satisfies(field.schema, value) && isWithin(field, value)) body[name] = value;
    else if (name === "n") {
      const most = field ? numberOf(nearest(field, value)) : 1;
      if (field && most !== null) body.n = most;
      if (value !== (most ?? 1))
        differences.changes.push(
          t("makesInsteadOf", { kind: apiType.replaceAll("-", "_"), count: most ?? 1, asked: String(value) }),
        );
    } else if (!field) differences.lacks.push(title);
    else {
      const near = nearest(field, value);
      if (near === null)
        differences.changes.push(t("doesNotSupport", { title, value: valueLabel(value, t) }));
      else {
        body[name] = near;
        differences.changes.push(
          t("usesInsteadOf", {
            title,
            value: valueLabel(near, t),
            asked: valueLabel(value, t),
          }),
        );
      }
    }
  }
  return body;
}

function isWithin(field: PlannedField, value: unknown): boolean {
  return nearest(field, value) === null || nearest(field, value) === value;
}

/** The nearest number that the field accepts. Null: none. */
function nearest(field: PlannedField, value: unknown): number | null {
  if (typeof value !== "number") return null;
  if (field.kind === "choice") {
    const numbers = field.values.filter((each): each is number => typeof each === "number");
    return numbers.sort((one, other) => Math.abs(one - value) - Math.abs(other - value))[0] ?? null;
  }
  if (field.kind === "smart-duration" && value === field.smart) return value;
  if (field.kind !== "range" && field.kind !== "number" && field.kind !== "smart-duration") return null;
  const within = Math.min(
    Math.max(value, field.min ?? Number.NEGATIVE_INFINITY),
    field.max ?? Number.POSITIVE_INFINITY,
  );
  const isWhole = field.kind === "smart-duration" || field.integer;
  return isWhole ? Math.round(within) : within;
}

function sentenceOf({ lacks, changes }: Differences, t: Words<"compare">): string | null {
  const names = joined(lacks, (list, next, isLast) => t(isLast ? "namesOr" : "namesAnd", { list, next }));
  const parts = [...(lacks.length > 0 ? [t("takesNo", { names })] : []), ...changes];
  if (parts.length === 0) return null;
  const sentence = joined(parts, (list, next, isLast) =>
    t(isLast ? "partsLast" : "partsNext", { list, next }),
  );
  return t("differs", { sentence: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}` });
}

function joined(
  parts: readonly string[],
  join: (list: string, next: string, isLast: boolean) => string,
): string {
  return parts.slice(1).reduce((list, next, at) => join(list, next, at === parts.length - 2), parts[0] ?? "");
}

/** The values that a finished row had for its candidate only. */
export function ownOf({ fields }: Candidate, input: JsonObject): JsonObject {
  return Object.fromEntries(
    fields
      .filter(({ name, required, kind }) => required && kind !== "confirm" && name in input)
      .map(({ name }) => [name, input[name]]),
  );
}
