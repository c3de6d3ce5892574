import { isObject } from "./json.ts";
import { textOfMessage } from "./messages.ts";

const longest = 160;
/** The keys that describe the subject of a run. */
const titleKeys = ["prompt", "input", "text", "action"];

/** The subject of a run: its prompt, text or last user message. Null without one. */
export function inputTitle(input: Record<string, unknown>): string | null {
  for (const key of titleKeys) {
    const value = input[key];
    if (typeof value === "string" && value.trim()) return excerpt(value);
  }
  const messages = Array.isArray(input.messages) ? input.messages.filter(isObject) : [];
  const asked = messages.findLast(
    (message) => message.role === "user" && textOfMessage(message).trim() !== "",
  );
  return asked ? excerpt(textOfMessage(asked)) : null;
}

function excerpt(text: string): string {
  return text.trim().slice(0, longest);
}
