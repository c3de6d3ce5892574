import { type TSchema, Type } from "typebox";

/** `item` or null. In answers, a field without a value is null, never missing. */
export function Nullable<Item extends TSchema>(item: Item) {
  return Type.Union([item, Type.Null()]);
}

/** RFC 3339 UTC, e.g. `2026-11-20T10:00:00.000Z`. */
export const Timestamp = Type.String({ format: "date-time" });
