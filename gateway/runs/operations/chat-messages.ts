import type { CatalogModel, InputModality } from "#contract/catalog.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { partTypes } from "#gateway/models/catalog/entries/messages.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

type Message = Record<string, unknown>;

/**
 * Converts the messages that OpenAI's clients send into the form of the model's schema: `developer` becomes
 * `system`, and members that are null are removed, except `content`. If the model reads only text, text parts
 * are joined by a line break. Values that are not messages stay unchanged, and the schema rejects them.
 * Throws `invalid_parameter` for a part that the model does not read.
 */
export function plainMessages(body: Record<string, unknown>, model: CatalogModel): void {
  if (!Array.isArray(body.messages)) return;
  body.messages = body.messages.map((message, index) =>
    isRecord(message) ? plainMessage(message, index, model) : message,
  );
}

function plainMessage(message: Message, index: number, model: CatalogModel): Message {
  if (isPlain(message)) return message;
  const members = Object.entries(message).filter(([name, value]) => value !== null || name === "content");
  const plain: Message = Object.fromEntries(members);
  if (plain.role === "developer") plain.role = "system";
  const { content } = plain;
  // Unchanged, because the schema rejects an empty list with a better error.
  if (!Array.isArray(content) || content.length === 0) return plain;
  const place = (at: number) => `${index}/content/${at}`;
  const reads = model.input_modalities ?? textOnly;
  for (const [at, part] of content.entries()) refuseUnread(part, place(at), model.id, reads);
  if (reads.length === 1) plain.content = content.map((part, at) => textOf(part, place(at))).join("\n");
  return plain;
}

function isPlain(message: Message): boolean {
  if (typeof message.content !== "string" || message.role === "developer") return false;
  for (const name in message) if (message[name] === null) return false;
  return true;
}

const textOnly = ["text"] as const;
const maxShown = 50;

function refuseUnread(part: unknown, place: string, model: string, reads: readonly InputModality[]): void {
  if (!isRecord(part)) throw refusal(place, "must be a part of a message, such as a text");
  const { type } = part;
  if (type === "refusal" || reads.some((modality) => partTypes[modality] === type)) return;
  const what =
    typeof type === "string" ? `a part of type ${type.slice(0, maxShown)}` : "a part without a type";
  const taken = reads.length === 1 ? "text only" : reads.join(", ");
  throw refusal(place, `is ${what}, and ${model} takes ${taken}${remedyFor(model)}`);
}

/** Only an entry that an operator added has settings. */
function remedyFor(model: string): string {
  return model.startsWith("svc/")
    ? "; a model of the operator's own can take other parts"
    : `. An operator can allow pictures, audio and files: Models, ${model}, Settings`;
}

function textOf(part: Message, place: string): string {
  const { type } = part;
  const text = type === "refusal" ? part.refusal : part.text;
  if (typeof text !== "string") throw refusal(place, `must have its text in "${String(type)}"`);
  return text;
}

function refusal(place: string, message: string): ApiError {
  const path = `/messages/${place}`;
  return new ApiError("invalid_parameter", `messages/${place} ${message}`, {
    param: "messages",
    details: [{ path, keyword: "type", message }],
  });
}
