import type { Run } from "@/lib/browser/runs/run";
import { isObject } from "@/lib/schema-form/json";

/** What a run was about: its prompt, its text, the last thing the user said. */
export function runTitle({ body }: Run): string {
  for (const key of ["prompt", "input", "action"]) {
    const value = body[key];
    if (typeof value === "string" && value.trim()) return value.trim().slice(0, 120);
  }
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
  const asked = messages.findLast(
    (message) => message.role === "user" && typeof message.content === "string",
  );
  if (typeof asked?.content === "string" && asked.content) return asked.content.slice(0, 120);
  return Object.keys(body).length > 0 ? "Run" : "Run with inline files";
}
