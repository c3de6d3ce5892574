import type { JsonSchema } from "#contract/catalog.ts";
import type { MediaKind } from "./entry.ts";

interface MediaPath {
  /** Property names from the root; `*` is every item of a list. */
  steps: string[];
  kind: MediaKind;
}

interface MediaValue {
  path: string;
  kind: MediaKind;
  value: string;
}

/**
 * Reads media paths from `x-svc-media` in the schema, and from the entry's own list if the schema is
 * incomplete.
 */
export function mediaPaths(schema: JsonSchema, internal: Record<string, MediaKind> = {}): MediaPath[] {
  const listed = Object.entries(internal).map(([path, kind]) => ({ steps: path.split("/"), kind }));
  return [...pathsIn(schema, []), ...listed];
}

function pathsIn(schema: JsonSchema, steps: string[]): MediaPath[] {
  const kind = schema["x-svc-media"];
  if (typeof kind === "string") return [{ steps, kind: kind as MediaKind }];
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const inProperties = properties.flatMap(([name, child]) =>
    isRecord(child) ? pathsIn(child, [...steps, name]) : [],
  );
  const inItems = isRecord(schema.items) ? pathsIn(schema.items, [...steps, "*"]) : [];
  return [...inProperties, ...inItems];
}

/** Every non-empty string of `body` at one of the paths, in the order of the body's lists. */
export function mediaValues(paths: readonly MediaPath[], body: Record<string, unknown>): MediaValue[] {
  const found: MediaValue[] = [];
  for (const { steps, kind } of paths) collect(found, kind, steps, 0, body, null, "");
  return found;
}

/** Adds the media that the remaining steps of the path, from index `at`, find below `value`. */
function collect(
  found: MediaValue[],
  kind: MediaKind,
  steps: readonly string[],
  at: number,
  value: unknown,
  parent: unknown,
  path: string,
): void {
  const step = steps[at];
  if (step === undefined) {
    if (typeof value !== "string" || value === "") return;
    found.push({ path, kind: kind === "any" ? kindByType(parent) : kind, value });
  } else if (step === "*") {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries())
      collect(found, kind, steps, at + 1, item, value, `${path}/${index}`);
  } else if (isRecord(value) && value[step] !== undefined) {
    collect(found, kind, steps, at + 1, value[step], value, `${path}/${step}`);
  }
}

/** The `type` of a media item determines its kind: `reference_video`, `first_frame`, `image`… */
function kindByType(item: unknown): MediaKind {
  const type = isRecord(item) && typeof item.type === "string" ? item.type : "";
  if (/video|clip/.test(type)) return "video";
  if (/image|frame/.test(type)) return "image";
  return /audio|voice/.test(type) ? "audio" : "any";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
