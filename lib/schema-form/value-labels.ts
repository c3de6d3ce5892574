import { isObject } from "./json.ts";

const abbreviation = /^(png|jpe?g|webp|mp[34]|wav)$/;
const plainLabel = /^[a-z]+([_-][a-z]+)*$/;
/** Keys that can serve as an object's name, best first. */
const nameMembers = ["label", "title", "name"];

/** Labels for the values of a list. Values with equal labels are shown as JSON. */
export function valueLabels(values: readonly unknown[]): string[] {
  const words = values.map(valueLabel);
  return words.map((word, at) =>
    words.indexOf(word) === words.lastIndexOf(word) ? word : (JSON.stringify(values[at]) ?? word),
  );
}

/** `reference_image` as `Reference image`, `png` as `PNG`, `{"width": 512, "height": 768}` as `512 × 768`. */
export function valueLabel(value: unknown): string {
  if (value === null) return "None";
  if (Array.isArray(value)) return value.length === 0 ? "None" : value.map(partOf).join(", ");
  if (isObject(value)) return objectLabel(value);
  const text = String(value);
  if (abbreviation.test(text)) return text.toUpperCase();
  return plainLabel.test(text) ? capitalised(text.replaceAll("_", " ")) : text;
}

function objectLabel(value: Record<string, unknown>): string {
  const { width, height } = value;
  const members = Object.entries(value);
  if (members.length === 2 && typeof width === "number" && typeof height === "number")
    return `${width} × ${height}`;
  const named = nameMembers.map((name) => value[name]).find((name) => typeof name === "string" && name);
  if (typeof named === "string") return named;
  const words = members.map(([name, member]) => `${name.replaceAll("_", " ")} ${partOf(member)}`);
  return words.length === 0 ? "None" : capitalised(words.join(", "));
}

/** A nested value. */
function partOf(value: unknown): string {
  if (value === null) return "none";
  return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
