import type { MediaKind } from "../browser/accepted-types.ts";
import { isObject, type JsonObject } from "./json.ts";
import { picturesOf, textOfMessage, withContent } from "./messages.ts";
import type { FormPlan, Media, PlannedField } from "./plan.ts";
import { startValue } from "./start-value.ts";

const mediaKinds: readonly MediaKind[] = ["image", "audio", "video"];

/** Where in an input a file can stand. */
export interface MediaPlace {
  /** The same place has the same one, whatever stands in it. */
  key: string;
  title: string;
  /** The operation's own limit. */
  maxBytes: number | null;
  /** The file that stands there; null: none does, or the new one is added to a list. */
  holds: string | null;
  /** Others may follow. */
  isList: boolean;
  /** The input with a file there. */
  put(input: JsonObject, text: string): JsonObject;
}

/** A place inside a value, as the value sees it. */
interface Inside extends Omit<MediaPlace, "put"> {
  put(value: unknown, text: string): unknown;
}

/** Every place of an input that takes a file of this kind and has room for it. */
export function mediaPlaces(plan: FormPlan, input: JsonObject, kind: MediaKind): MediaPlace[] {
  return placesInside(plan.fields, input, kind, "") as MediaPlace[];
}

function placesInside(
  fields: readonly PlannedField[],
  value: unknown,
  kind: MediaKind,
  path: string,
): Inside[] {
  const object = isObject(value) ? value : {};
  return fields.flatMap((field) =>
    placesOf(field, object[field.name], kind, `${path}/${field.name}`).map((place) => ({
      ...place,
      put: (all: unknown, text: string) => {
        const old = isObject(all) ? all : {};
        return { ...old, [field.name]: place.put(old[field.name], text) };
      },
    })),
  );
}

function placesOf(field: PlannedField, value: unknown, kind: MediaKind, key: string): Inside[] {
  const { title } = field;
  switch (field.kind) {
    case "media": {
      if (!takes(field.media, kind)) return [];
      const holds = typeof value === "string" && value ? value : null;
      return [{ key, title, maxBytes: field.maxBytes, holds, isList: false, put: (_, text) => text }];
    }
    case "media-list":
      return takes(field.media, kind) ? placesOfList(field, value, key) : [];
    case "items":
      return placeOfItem(field, value, kind, key);
    case "group":
      return placesInside(field.fields, value, kind, key).map((place) => ({
        ...place,
        title: `${title}, ${place.title.toLowerCase()}`,
      }));
    case "messages":
      return field.pictures && kind === "image" ? [placeInMessages(value, key)] : [];
    default:
      return [];
  }
}

type FieldOf<Kind> = Extract<PlannedField, { kind: Kind }>;

function placesOfList(field: FieldOf<"media-list">, value: unknown, key: string): Inside[] {
  const { title, maxBytes, positions, max } = field;
  const texts = listOf(value).map((text) => (typeof text === "string" ? text : ""));
  if (positions)
    return positions.map((position, at) => ({
      key: `${key}/${at}`,
      title: `${title}: ${position.toLowerCase()}`,
      maxBytes,
      holds: texts[at] || null,
      isList: false,
      put: (list, text) => positions.map((_, each) => (each === at ? text : (listOf(list)[each] ?? ""))),
    }));
  if (max !== null && texts.length >= max) return [];
  return [{ key, title, maxBytes, holds: null, isList: true, put: (list, text) => [...listOf(list), text] }];
}

/** A new item of a list, where a file is what the items are about. */
function placeOfItem(field: FieldOf<"items">, value: unknown, kind: MediaKind, key: string): Inside[] {
  const { item, max, title } = field;
  const full = max !== null && listOf(value).length >= max;
  if (!item || full || field.first.length > 0) return [];
  if (item.kind === "media" && takes(item.media, kind))
    return [
      {
        key,
        title,
        maxBytes: item.maxBytes,
        holds: null,
        isList: true,
        put: (list, text) => [...listOf(list), text],
      },
    ];
  if (item.kind !== "group") return [];
  const file = item.fields.find((part) => part.kind === "media" && part.required);
  if (file?.kind !== "media" || !takes(file.media, kind)) return [];
  const choices = item.fields.filter((part) => part.kind === "choice");
  if (choices.some((choice) => namesOthersOnly(choice.values, kind))) return [];
  const chosen = choices.flatMap((choice) => {
    const [only, ...others] = choice.values.filter((value) => names(value, kind));
    return only !== undefined && others.length === 0 ? [[choice.name, only]] : [];
  });
  const put = (list: unknown, text: string) => [
    ...listOf(list),
    { ...(startValue(item) as JsonObject), ...Object.fromEntries(chosen), [file.name]: text },
  ];
  return [{ key, title, maxBytes: file.maxBytes, holds: null, isList: true, put }];
}

/** Whether a choice says what kind of file stands beside it, and this kind is not among them. */
function namesOthersOnly(values: readonly unknown[], kind: MediaKind): boolean {
  const kinds = mediaKinds.filter((each) => values.some((value) => names(value, each)));
  return kinds.length > 0 && !kinds.includes(kind);
}

/** `reference_image` names an image. */
function names(value: unknown, kind: MediaKind): boolean {
  return String(value).includes(kind);
}

/** Pictures join what the user said last. */
function placeInMessages(value: unknown, key: string): Inside {
  const lastOf = (messages: readonly unknown[]) =>
    messages.findLastIndex((message) => isObject(message) && message.role === "user");
  const at = lastOf(listOf(value));
  const put = (list: unknown, text: string) => {
    const messages = listOf(list);
    const last = lastOf(messages);
    const message = messages[last];
    if (!isObject(message)) return [...messages, withContent({ role: "user" }, "", [text])];
    return messages.with(last, withContent(message, textOfMessage(message), [...picturesOf(message), text]));
  };
  const title = at === -1 ? "A new message" : `Message ${at + 1}`;
  return { key, title, maxBytes: null, holds: null, isList: true, put };
}

function takes(media: Media, kind: MediaKind): boolean {
  return media === "any" || media === kind;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
