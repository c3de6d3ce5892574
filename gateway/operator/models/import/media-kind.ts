import type { JsonSchema } from "#contract/catalog.ts";
import type { MediaKind } from "#gateway/catalog/entry.ts";
import { textOf } from "#gateway/providers/http/read-body.ts";

const words: [Exclude<MediaKind, "any">, RegExp][] = [
  ["video", /video|clip|movie/i],
  ["audio", /audio|speech|voice|sound|music|song|vocal/i],
  ["image", /image|img|photo|picture|mask|frame|face|portrait|garment|garm|sketch|logo/i],
];
/** Files that no model operation of the gateway reads: they go upstream as the text they are. */
const otherFiles = /weights|lora|zip|\btar\b|checkpoint|csv|json|text file|\bpdf\b|mesh|3d|webhook|callback/i;

/**
 * Whether a text field names a file, and of which kind; null if it is text. Upstreams say so by `format: uri`, or only by
 * a name such as `image_url`.
 */
export function mediaKindOf(name: string, schema: JsonSchema): MediaKind | null {
  const isText = [schema.type].flat().every((type) => type === "string" || type === "null") && schema.type;
  if (!isText || schema.enum !== undefined || schema.const !== undefined) return null;
  const hasFormat = ["uri", "binary", "data-uri", "byte"].includes(String(schema.format));
  if (!hasFormat && !/(^|_)(url|urls|uri|uris)$/i.test(name)) return null;
  const label = `${name} ${textOf(schema.title) ?? ""}`;
  const description = textOf(schema.description) ?? "";
  if (otherFiles.test(label) || (!kindIn(label) && otherFiles.test(description))) return null;
  return kindIn(label) ?? kindIn(description) ?? (hasFormat ? "any" : null);
}

function kindIn(text: string): MediaKind | null {
  return words.find(([, pattern]) => pattern.test(text.replaceAll("_", " ")))?.[0] ?? null;
}
