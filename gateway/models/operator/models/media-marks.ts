import type { JsonSchema } from "#contract/catalog.ts";
import { mediaPaths } from "#gateway/models/catalog/compile.ts";
import { invalidSchema, type MediaKind } from "#gateway/models/catalog/entry.ts";
import { isRecord } from "#gateway/models/providers/http/read-body.ts";

type Media = Record<string, MediaKind>;

/** The media fields marked in a schema, by path: `image`, `frames/*`, `shots/*` + `/image`. */
export function mediaOf(schema: JsonSchema): Media {
  return Object.fromEntries(mediaPaths(schema).map(({ steps, kind }) => [steps.join("/"), kind]));
}

/**
 * The schema with exactly these fields marked as media. Throws `invalid_schema` for a path that is not a text
 * field.
 */
export function withMedia(schema: JsonSchema, media: Media): JsonSchema {
  const found = new Set<string>();
  const mark = (part: JsonSchema, path: string): JsonSchema => {
    const { "x-svc-media": _, ...plain } = part;
    const kind = media[path];
    const isText = [plain.type].flat().includes("string");
    if (kind && isText) found.add(path);
    const below = (name: string) => (path === "" ? name : `${path}/${name}`);
    return {
      ...plain,
      ...(isRecord(plain.properties) && {
        properties: Object.fromEntries(
          Object.entries(plain.properties).map(([name, child]) => [
            name,
            isRecord(child) ? mark(child, below(name)) : child,
          ]),
        ),
      }),
      ...(isRecord(plain.items) && { items: mark(plain.items, below("*")) }),
      ...(kind && isText && { "x-svc-media": kind }),
    };
  };
  const marked = mark(schema, "");
  const missing = Object.keys(media).find((path) => !found.has(path));
  if (missing !== undefined)
    throw invalidSchema(`The input schema has no text field ${missing} that could be media.`, "fields.media");
  return marked;
}
