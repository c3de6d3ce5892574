import { draftFromInput } from "../schema-form/draft.ts";
import { isObject, type JsonObject } from "../schema-form/json.ts";

/** What a preset keeps of a draft: no model, no confirmation, and no file that stands in it as text. */
export function savedInput(value: JsonObject): JsonObject {
  return withoutInlineFiles(draftFromInput(value).value) as JsonObject;
}

function withoutInlineFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isInlineFile(item)).map(withoutInlineFiles);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      isInlineFile(entry) ? [] : [[key, withoutInlineFiles(entry)]],
    ),
  );
}

function isInlineFile(value: unknown): boolean {
  return typeof value === "string" && /^data:[^,]*;base64,/i.test(value);
}
