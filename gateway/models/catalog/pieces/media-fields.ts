import type { JsonSchema } from "#contract/catalog.ts";
import type { MediaKind } from "../entry.ts";

const sources = "An upload, an https URL or a data URI.";

/** A text that names media: `upload://upl_…`, an https URL or a data URI. */
export function mediaField(
  kind: MediaKind,
  title: string,
  description: string = sources,
  minLength = 1,
): JsonSchema {
  return { type: "string", ...(minLength > 0 && { minLength }), title, description, "x-svc-media": kind };
}

/** A list of media of one kind. */
export function mediaList(
  kind: MediaKind,
  bounds: { minItems?: number; maxItems: number },
  title: string,
  description: string,
): JsonSchema {
  const items: JsonSchema = { type: "string", minLength: 1, "x-svc-media": kind };
  return { type: "array", ...bounds, items, title, description };
}
