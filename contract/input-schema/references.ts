import { isRecord } from "./json-values.ts";
import { Refusal } from "./refusal.ts";

/** The part of a document that a `$ref` names. Only references inside the document are followed. */
export function target(reference: unknown, document: unknown, place: string): unknown {
  if (typeof reference !== "string") throw new Refusal(place, "must be a text");
  if (reference !== "#" && !reference.startsWith("#/"))
    throw new Refusal(
      place,
      `refers to \`${shortened(reference)}\`; only references inside the document (\`#/…\`) are followed`,
    );
  let found: unknown = document;
  for (const segment of reference.split("/").slice(1)) {
    const key = decoded(segment);
    const inside = (isRecord(found) || Array.isArray(found)) && Object.hasOwn(found, key);
    if (!inside)
      throw new Refusal(place, `refers to \`${shortened(reference)}\`, which the document does not have`);
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function decoded(segment: string): string {
  const text = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
