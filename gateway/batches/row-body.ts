import type { ApiType, JsonSchema } from "#contract/catalog.ts";
import type { CompiledOperation } from "#gateway/catalog/catalog.ts";

/** The body that runs a row. For a chat, `prompt` and `system` stand for messages, so that a plain table is enough. */
export function bodyOfRow(
  { operation }: CompiledOperation,
  model: string,
  input: Record<string, unknown>,
): Record<string, unknown> {
  if (!hasPlainPrompt(operation.api_type, operation.input_schema.properties, input))
    return { ...input, model };
  const { prompt, system, ...rest } = input;
  const instruction = typeof system === "string" ? [{ role: "system", content: system }] : [];
  return { ...rest, model, messages: [...instruction, { role: "user", content: prompt }] };
}

/** The column that a field of the body came from. */
export function columnOfField(
  { operation }: CompiledOperation,
  input: Record<string, unknown>,
  field: string,
): string {
  const isPrompt = hasPlainPrompt(operation.api_type, operation.input_schema.properties, input);
  return isPrompt && field === "messages" ? "prompt" : field;
}

function hasPlainPrompt(apiType: ApiType, properties: unknown, input: Record<string, unknown>): boolean {
  const isChat = apiType === "chat-completions" && !("prompt" in (properties as JsonSchema));
  return isChat && typeof input.prompt === "string" && input.messages === undefined;
}
