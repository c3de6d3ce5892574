import type { FormData } from "undici";

/**
 * Adds scalars as text, lists of scalars as one part per item like OpenAI's client, and anything else as
 * JSON.
 */
export function addFields(form: FormData, fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value) && value.every(isScalar))
      for (const item of value) form.append(`${name}[]`, String(item));
    else form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== "object";
}
