import { isObject, type JsonObject } from "../schema-form/json.ts";
import { picturesOf, textOfMessage } from "../schema-form/messages.ts";

/** The input that is sent to all compared models. */
export interface CommonInput {
  /** The prompt of a picture or video, the last message of a chat, or the text to speak. */
  text?: string;
  images?: string[];
  video?: string;
  audio?: string;
  /** The chat's messages before the last one. */
  earlier?: JsonObject[];
  /** All other inputs, by the operations' field names. */
  options?: JsonObject;
}

export type MediaFamily = "image" | "video" | "audio";

/** The files of one family. */
export function filesOf(input: CommonInput, family: MediaFamily): string[] {
  if (family === "image") return input.images ?? [];
  const file = input[family];
  return file ? [file] : [];
}

/** Whether the input is empty, so that there is nothing to run. */
export function isEmptyInput(input: CommonInput): boolean {
  return !input.text?.trim() && !input.images?.length && !input.video && !input.audio;
}

/**
 * Fields that are not copied to the common input, because each run needs a new confirmation, because the
 * choice of models sets the field, or because comparisons do not support the field.
 */
const notCarried = new Set(["model", "person_rights_confirmed", "stream", "mode"]);

/** The field that accepts files of a family. */
export interface Slot {
  field: string;
  shape: "one" | "list" | "items";
  min: number;
  max: number | null;
  /** For lists of objects: the `type` of an item. */
  type?: string;
  /** The meaning of each position in the list. */
  positions: string[] | null;
}

/** The fields of an operation that get the common input. */
export interface Slots {
  /** Field for the text; `messages` for a chat. Null: the operation has no text input. */
  text: string | null;
  media: Partial<Record<MediaFamily, Slot>>;
}

/** Converts the input of one operation to the common input. Prompt and files get common names. */
export function commonFrom({ slots }: { slots: Slots }, input: JsonObject): CommonInput {
  const common: CommonInput = {};
  const options: JsonObject = {};
  for (const [name, value] of Object.entries(input)) {
    if (notCarried.has(name) || value === undefined || value === null) continue;
    const family = (Object.keys(slots.media) as MediaFamily[]).find(
      (each) => slots.media[each]?.field === name && isMedia(value),
    );
    if (name === slots.text && typeof value === "string") common.text = value;
    else if (name === "messages" && Array.isArray(value)) Object.assign(common, conversationOf(value));
    else if (family === "image") common.images = textsOf(value);
    else if (family) common[family] = textsOf(value)[0] ?? "";
    else options[name] = value;
  }
  // In batch tables a chat has a `prompt` column.
  if (slots.text === "messages" && typeof options.prompt === "string") {
    common.text = options.prompt;
    delete options.prompt;
  }
  return Object.keys(options).length > 0 ? { ...common, options } : common;
}

/** Combines the inputs of several runs. Each run got only the part that its model accepts. */
export function mergedInputs(inputs: readonly CommonInput[]): CommonInput {
  const options = Object.assign({}, ...inputs.map((input) => input.options ?? {}));
  const images = inputs
    .map((input) => input.images ?? [])
    .reduce((most, each) => (each.length > most.length ? each : most), []);
  const merged: CommonInput = Object.assign({}, ...inputs);
  return {
    ...merged,
    ...(images.length > 0 && { images }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

function conversationOf(messages: readonly unknown[]): CommonInput {
  const all = messages.filter(isObject);
  const last = all.at(-1);
  if (last?.role !== "user") return { earlier: all };
  const images = picturesOf(last);
  const earlier = all.slice(0, -1);
  return {
    text: textOfMessage(last),
    ...(images.length > 0 && { images }),
    ...(earlier.length > 0 && { earlier }),
  };
}

function isMedia(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value);
}

/** URLs of files, from a text, a list of texts, or a list of objects with `url`. */
function textsOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items
    .map((item) => (isObject(item) ? item.url : item))
    .filter((item): item is string => typeof item === "string" && item !== "");
}

/** The values of the comparison form: the common input, and the models with their separate values. */
export interface ComparisonDraft {
  input: CommonInput;
  /** Keys of the chosen candidates. */
  chosen: readonly string[];
  /** Values for one candidate only, by the candidate's key. */
  own: Record<string, JsonObject>;
}

/** The initial state of a comparison. */
export interface ComparisonStart extends Omit<ComparisonDraft, "input"> {
  /** Null: use the input that this browser stored. */
  input: CommonInput | null;
  /** The candidate whose draft in this browser's playground is the input. */
  draftOf: string | null;
  /** A note for the user: which part of the requested input could not be used. */
  notice: string | null;
}

export const emptyStart: ComparisonStart = { input: null, chosen: [], own: {}, draftOf: null, notice: null };
