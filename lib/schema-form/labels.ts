import { byName } from "#contract/by-name.ts";
import type { JsonSchema } from "#contract/catalog.ts";

/** Titles for keys whose schema has none. */
const titles = byName<string>({
  n: "Number of images",
  url: "URL",
  audio_url: "Audio",
  loras: "LoRAs",
  stream: "Stream response",
  max_tokens: "Maximum tokens",
});

const hints = byName<string>({
  max_tokens: "The answer is cut off at this length.",
  temperature: "0 gives the most predictable answers; higher values give more variety.",
  stream: "Show the answer while it is generated.",
  type: "What this reference is used for.",
});

/** The label of a field: the schema's title, or words made from the key. */
export function titleOf(name: string, schema: JsonSchema): string {
  // Imported schemas often repeat the key of an enumeration as its title. Such a title is ignored.
  if (typeof schema.title === "string" && schema.title && schema.title !== name) return schema.title;
  const known = titles[name];
  if (known) return known;
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function hintOf(name: string, schema: JsonSchema): string | null {
  return typeof schema.description === "string" ? schema.description : (hints[name] ?? null);
}

/** "LoRA 2" for an item of `loras`; "Media 1" for one of `media`. */
export function itemTitleOf(name: string): string {
  if (name.endsWith("loras")) return "LoRA";
  if (name === "media") return "Reference";
  return titleOf(name, {}).replace(/s$/, "");
}

/** "2 images", "1 image". */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}
