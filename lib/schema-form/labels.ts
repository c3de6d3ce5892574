import type { JsonSchema } from "#contract/catalog.ts";
import type { Words } from "@/messages/words";
import { isObject } from "./json.ts";

/** The words of the form. */
export type FormWords = Words<"inputForm">;

/** The label of a field: the schema's title, or words made from the key. */
export function titleOf(t: FormWords, name: string, schema: JsonSchema): string {
  // Imported schemas often repeat the key of an enumeration as its title. Such a title is ignored.
  if (typeof schema.title === "string" && schema.title && schema.title !== name) return schema.title;
  const known = `title.${name}`;
  return t.has(known) ? t.text(known) : wordsOfKey(name);
}

/** `aspect_ratio` as `Aspect ratio`. */
export function wordsOfKey(name: string): string {
  return capitalised(name.replaceAll("_", " ").trim());
}

export function hintOf(t: FormWords, name: string, schema: JsonSchema): string | null {
  if (typeof schema.description === "string") return schema.description;
  const known = `hint.${name}`;
  return t.has(known) ? t.text(known) : null;
}

/** "LoRA 2" for an item of `loras`; "Media 1" for one of `media`. */
export function itemTitleOf(t: FormWords, name: string): string {
  if (name.endsWith("loras")) return "LoRA";
  if (name === "media") return t("reference");
  return titleOf(t, name, {}).replace(/s$/, "");
}

const abbreviation = /^(png|jpe?g|webp|mp[34]|wav)$/;

const plainLabel = /^[a-z]+([_-][a-z]+)*$/;

/** Keys that can serve as an object's name, best first. */
const nameMembers = ["label", "title", "name"];

/** Labels for the values of a list. Values with equal labels are shown as JSON. */
export function valueLabels(values: readonly unknown[], t: ValueWords): string[] {
  const words = values.map((value) => valueLabel(value, t));
  return words.map((word, at) =>
    words.indexOf(word) === words.lastIndexOf(word) ? word : (JSON.stringify(values[at]) ?? word),
  );
}

/** The words for values: `noValue`, and `choice.high` for a value that many models have. */
interface ValueWords {
  text(key: string): string;
  has(key: string): boolean;
}

/** `reference_image` as `Reference image`, `png` as `PNG`, `{"width": 512, "height": 768}` as `512 × 768`. */
export function valueLabel(value: unknown, t: ValueWords): string {
  const none = t.text("noValue");
  if (value === null) return none;
  if (Array.isArray(value))
    return value.length === 0 ? none : value.map((part) => partOf(part, none)).join(", ");
  if (isObject(value)) return objectLabel(value, none);
  const text = String(value);
  const known = `choice.${text.replaceAll("-", "_")}`;
  if (t.has(known)) return t.text(known);
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
