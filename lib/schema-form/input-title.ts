import { isObject } from "./json.ts";
import { textOfMessage } from "./messages.ts";

const longest = 160;
/** Where operations take what a run is about. */
const titleKeys = ["prompt", "input", "text", "action"];

/** What a run was about: its prompt, its text, the last thing the user said; null when no words tell. */
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
