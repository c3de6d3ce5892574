import type { FormData } from "undici";

/** Adds scalars as text and anything else as JSON. */
export function addFields(form: FormData, fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
}
