import type { PlannedField } from "./plan.ts";

/** What stands in a new item, entry or branch before anything is filled in; undefined where there is nothing to say. */
export function startValue(field: PlannedField): unknown {
  switch (field.kind) {
    case "group":
      return { ...field.fixed };
    case "map":
      return {};
    case "items":
    case "strings":
    case "messages":
    case "media-list":
      return [];
    case "choice":
      return field.values.length === 1 ? field.values[0] : undefined;
    case "prompt":
    case "text":
      return "";
    default:
      return undefined;
  }
}
