import { formatByteLimit, formatNumber } from "@/lib/format";

/** `maxInputBytes` → `Max input bytes`, `max_inputs` → `Max inputs`. */
export function limitName(name: string): string {
  const words = name
    .replace(/_/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A limit's value as text. The catalog's name of the limit determines the unit. */
export function limitText(name: string, value: unknown): string {
  if (typeof value === "number")
    return /bytes$/i.test(name)
      ? `${formatByteLimit(value)} (${formatNumber(value)} bytes)`
      : formatNumber(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((item) => limitText("", item)).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
