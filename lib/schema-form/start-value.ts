import type { PlannedField } from "./plan.ts";

/** The initial value of a new item, entry or branch. Undefined if there is none. */
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
