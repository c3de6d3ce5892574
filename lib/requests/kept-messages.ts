import { byName } from "#contract/by-name.ts";
import type { Content } from "#contract/contents.ts";
import type { Words } from "../../messages/words.ts";
import { isObject, type JsonObject } from "../schema-form/json.ts";
import { callsOf, otherPartsOf, picturesOf, textOfMessage } from "../schema-form/messages.ts";
import { keptFileIn } from "./kept-input.ts";

const names = byName({
  system: "writerSystem",
  developer: "writerDeveloper",
  user: "writerCaller",
  assistant: "writerModel",
  tool: "writerTool",
} as const);

/** Who wrote a message of a kept call. */
export function writerOf(t: Words<"requests">, { role }: JsonObject): string {
  const name = names[String(role)];
  return name ? t(name) : String(role);
}

/** The messages that a kept chat was sent. */
export function askedOf({ input }: Pick<Content, "input">): JsonObject[] {
  return Array.isArray(input.messages) ? input.messages.filter(isObject) : [];
}

/** The messages that a kept chat was answered with. */
export function answersOf({ output }: Pick<Content, "output">): JsonObject[] {
  const choices = Array.isArray(output?.choices) ? output.choices.filter(isObject) : [];
  return choices.flatMap(({ message }) => (isObject(message) ? [message] : []));
}

/** What the model thought before it answered. Null if the answer does not say. */
export function thoughtsOf(message: JsonObject): string | null {
  const thoughts = message.reasoning_content ?? message.reasoning;
  return typeof thoughts === "string" && thoughts !== "" ? thoughts : null;
}

/** The text of a call that is no chat. */
export function plainTextOf({ input, output, opening }: Content): string {
  const text = output?.text ?? input.input ?? input.prompt ?? input.query ?? opening;
  return typeof text === "string" ? text : JSON.stringify(text);
}

/** The files of a message: its pictures, then the name of each audio or document. Any other part is its JSON. */
export function filesOf(message: JsonObject): string[] {
  const others = otherPartsOf(message).map((part) => keptFileIn(part) ?? JSON.stringify(part));
  return [...picturesOf(message), ...others];
}

/** Everything that a message says, as one text. */
export function wholeText(t: Words<"requests">, message: JsonObject): string {
  const calls = callsOf(message).map(({ function: called }) =>
    isObject(called) ? `${String(called.name)}(${String(called.arguments)})` : "",
  );
  const thoughts = thoughtsOf(message);
  return [thoughts && t("thinkingOf", { thoughts }), textOfMessage(message), ...filesOf(message), ...calls]
    .filter(Boolean)
    .join("\n");
}
