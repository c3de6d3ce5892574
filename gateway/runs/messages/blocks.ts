import type { Block, MessageCreate } from "#contract/messages.ts";
import { isRecord, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

type ChatMessage = Record<string, unknown>;

/**
 * The messages of a chat for a system prompt and messages in Anthropic's blocks: calls become an assistant's, results messages of
 * their own. Throws `invalid_parameter` for a block that no chat has.
 */
export function chatMessages({
  system,
  messages,
}: Pick<MessageCreate, "system" | "messages">): ChatMessage[] {
  const opening =
    system && system.length > 0 ? [{ role: "system", content: contentOf(system, "system") }] : [];
  return [
    ...opening,
    ...messages.flatMap(({ role, content }, index) => {
      const place = `messages[${index}].content`;
      if (role === "assistant") return [assistantOf(content, place)];
      if (role === "system") return [{ role, content: contentOf(content, place) }];
      return userOf(content, place);
    }),
  ];
}

function assistantOf(content: string | Block[], place: string): ChatMessage {
  if (typeof content === "string") return { role: "assistant", content };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const details: object[] = [];
  const calls: object[] = [];
  for (const [index, block] of content.entries()) {
    const { type } = block;
    if (type === "text") texts.push(textOf(block.text) ?? "");
    else if (type === "thinking") {
      thoughts.push(textOf(block.thinking) ?? "");
      if (textOf(block.signature))
        details.push({ type: "reasoning.text", text: block.thinking, signature: block.signature });
    } else if (type === "redacted_thinking") details.push({ type: "reasoning.encrypted", data: block.data });
    else if (type === "tool_use")
      calls.push({
        id: needed(block.id, `${place}[${index}].id`),
        type: "function",
        function: {
          name: needed(block.name, `${place}[${index}].name`),
          arguments: JSON.stringify(block.input ?? {}),
        },
      });
    else throw unknownBlock(type, `${place}[${index}]`);
  }
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join("") }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** Results of calls stand directly after them, so before what else the user says. */
function userOf(content: string | Block[], place: string): ChatMessage[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const results: ChatMessage[] = [];
  const said: ChatMessage[] = [];
  for (const [index, block] of content.entries()) {
    const at = `${place}[${index}]`;
    if (block.type !== "tool_result") {
      said.push(partOf(block, at));
      continue;
    }
    const result = block.content ?? "";
    if (typeof result !== "string" && !Array.isArray(result))
      throw refusal(`${at}.content`, "must be a text or a list of blocks");
    results.push({
      role: "tool",
      tool_call_id: needed(block.tool_use_id, `${at}.tool_use_id`),
      content: typeof result === "string" || result.length > 0 ? contentOf(result, `${at}.content`) : "",
    });
  }
  return said.length > 0 ? [...results, { role: "user", content: said }] : results;
}

function contentOf(content: string | unknown[], place: string): string | ChatMessage[] {
  if (typeof content === "string") return content;
  return content.map((block, index) => partOf(block, `${place}[${index}]`));
}

/** A block as a part of a chat's message. */
function partOf(block: unknown, place: string): ChatMessage {
  if (!isRecord(block)) throw refusal(place, "must be a block, such as a text");
  const cached = isRecord(block.cache_control) && { cache_control: block.cache_control };
  const source = recordOf(block.source);
  switch (block.type) {
    case "text":
      return { type: "text", text: needed(block.text, `${place}.text`), ...cached };
    case "image":
      return { type: "image_url", image_url: { url: addressOf(source, `${place}.source`) }, ...cached };
    case "document": {
      if (source.type === "text") return { type: "text", text: needed(source.data, `${place}.source.data`) };
      const filename = textOf(block.title) ?? "document.pdf";
      if (source.type === "content")
        return {
          type: "text",
          text: recordsOf(source.content)
            .map(({ text }) => textOf(text) ?? "")
            .join("\n"),
        };
      return { type: "file", file: { filename, file_data: addressOf(source, `${place}.source`) }, ...cached };
    }
    default:
      throw unknownBlock(block.type, place);
  }
}

/** A file as an address: inline, elsewhere, or an upload. */
function addressOf(source: Record<string, unknown>, place: string): string {
  if (source.type === "base64")
    return `data:${needed(source.media_type, `${place}.media_type`)};base64,${needed(source.data, `${place}.data`)}`;
  if (source.type === "url") return needed(source.url, `${place}.url`);
  if (source.type === "file") return needed(source.file_id, `${place}.file_id`);
  throw refusal(place, "must be base64, url or file");
}

function unknownBlock(type: unknown, place: string): ApiError {
  const what = typeof type === "string" ? `of type ${type.slice(0, 50)}` : "without a type";
  return refusal(place, `is ${what}, which no chat has`);
}

function needed(value: unknown, param: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new ApiError("invalid_parameter", `${param} must be a text that is not empty.`, { param });
}

function refusal(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", `${param} ${message}.`, { param });
}
