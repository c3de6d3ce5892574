import { byName } from "#contract/by-name.ts";
import type { JsonSchema } from "#contract/catalog.ts";
import { isObject } from "./json.ts";

/** Titles for keys whose schema has none. */
const titles = byName<string>({
  n: "Number of images",
  url: "URL",
  audio_url: "Audio",
  loras: "LoRAs",
  max_tokens: "Max tokens",
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

const abbreviation = /^(png|jpe?g|webp|mp[34]|wav)$/;

const plainLabel = /^[a-z]+([_-][a-z]+)*$/;

/** Keys that can serve as an object's name, best first. */
const nameMembers = ["label", "title", "name"];

/** Labels for the values of a list. Values with equal labels are shown as JSON. */
export function valueLabels(values: readonly unknown[], none: string): string[] {
  const words = values.map((value) => valueLabel(value, none));
  return words.map((word, at) =>
    words.indexOf(word) === words.lastIndexOf(word) ? word : (JSON.stringify(values[at]) ?? word),
  );
}

/** `none` says that there is no value. `reference_image` as `Reference image`, `png` as `PNG`, `{"width": 512, "height": 768}` as `512 × 768`. */
export function valueLabel(value: unknown, none: string): string {
  if (value === null) return none;
  if (Array.isArray(value))
    return value.length === 0 ? none : value.map((part) => partOf(part, none)).join(", ");
  if (isObject(value)) return objectLabel(value, none);
  const text = String(value);
  if (abbreviation.test(text)) return text.toUpperCase();
  return plainLabel.test(text) ? capitalised(text.replaceAll("_", " ")) : text;
}

function objectLabel(value: Record<string, unknown>, none: string): string {
  const { width, height } = value;
  const members = Object.entries(value);
  if (members.length === 2 && typeof width === "number" && typeof height === "number")
    return `${width} × ${height}`;
  const named = nameMembers.map((name) => value[name]).find((name) => typeof name === "string" && name);
  if (typeof named === "string") return named;
  const words = members.map(([name, member]) => `${name.replaceAll("_", " ")} ${partOf(member, none)}`);
  return words.length === 0 ? none : capitalised(words.join(", "));
}

/** A nested value. */
function partOf(value: unknown, none: string): string {
  if (value === null) return none.toLowerCase();
  return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
