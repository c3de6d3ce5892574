import { ApiError } from "#gateway/core/api-error.ts";

type Message = Record<string, unknown>;

/**
 * Brings the messages of a chat into the shape that entries publish, as OpenAI's clients write them: text parts are joined by a
 * line break, `developer` becomes `system`, a member that is null is absent (`content` of an assistant stays). What is no message
 * is left to the schema. Throws `invalid_parameter` for a part that is no text.
 */
export function plainMessages(body: Record<string, unknown>, model: string): void {
  if (!Array.isArray(body.messages)) return;
  body.messages = body.messages.map((message, index) =>
    isMessage(message) ? plainMessage(message, index, model) : message,
  );
}

function plainMessage(message: Message, index: number, model: string): Message {
  const members = Object.entries(message).filter(([name, value]) => value !== null || name === "content");
  const plain: Message = Object.fromEntries(members);
  if (plain.role === "developer") plain.role = "system";
  // An empty list is no content, which the schema says in its own words.
  if (Array.isArray(plain.content) && plain.content.length > 0)
    plain.content = plain.content.map((part, at) => textOf(part, `${index}/content/${at}`, model)).join("\n");
  return plain;
}

function textOf(part: unknown, place: string, model: string): string {
  if (!isMessage(part)) throw refusal(place, "must be a part of a message, such as a text");
  const { type } = part;
  const text = type === "text" ? part.text : type === "refusal" ? part.refusal : undefined;
  if (typeof text === "string") return text;
  if (type === "text" || type === "refusal") throw refusal(place, `must have its text in "${type}"`);
  const what =
    typeof type === "string" ? `a part of type ${type.slice(0, mostShown)}` : "a part without a type";
  throw refusal(place, `is ${what}, and ${model} takes text only`);
}

const mostShown = 50;

function refusal(place: string, message: string): ApiError {
  const path = `/messages/${place}`;
  return new ApiError("invalid_parameter", `messages/${place} ${message}`, {
    param: "messages",
    details: [{ path, keyword: "type", message }],
  });
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
