import type { JsonSchema } from "#contract/catalog.ts";
import { compileBody } from "#contract/checks/request-check.ts";
import { ResponseCreate } from "#contract/responses.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import { validationError } from "#gateway/platform/http/validation.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { OperationInput } from "#gateway/runs/operations/admit.ts";
import { chatCall, type ResponseRequest, readResponse } from "#gateway/runs/responses/request.ts";
import type { BatchRecord } from "./view.ts";

export type OpenAiBatchRequest = NonNullable<BatchRecord["openAi"]>;

interface RowRequest {
  input: Pick<OperationInput, "body" | "native" | "declinesContents">;
  /** Set if the caller requested a response (POST /v1/responses), which runs as a chat here. */
  response: ResponseRequest | null;
}

const responseCheck = compileBody(ResponseCreate);

/**
 * The request for a row. A line of OpenAI's file is the body of its endpoint. Throws the same errors as the
 * endpoint for a response.
 */
export async function requestOfRow(
  context: RunsContext,
  actor: Actor,
  compiled: CompiledOperation,
  row: Record<string, unknown>,
  openAi: OpenAiBatchRequest | null,
): Promise<RowRequest> {
  const model = compiled.model.id;
  if (openAi?.endpoint === "/v1/responses") {
    const asked: ResponseCreate = { ...row, model };
    if (!responseCheck(asked)) throw validationError(responseCheck.errors ?? []);
    if (asked.background)
      throw invalidParameter("background", "a batch always runs in the background: leave background out");
    // The client reads the answer in the output file, so the response is not stored separately.
    const response = await readResponse(context, actor, { ...asked, store: false });
    const { body, native } = chatCall(response);
    const declinesContents = asked.store === false;
    return { input: { body, declinesContents, ...(native && { native }) }, response };
  }
  const body = openAi ? { ...row, model } : bodyOfRow(compiled, model, row);
  return { input: { body }, response: null };
}

/**
 * The request body for a row. For a chat, `prompt` and `system` replace messages, so that a plain table is
 * enough.
 */
export function bodyOfRow(
  compiled: CompiledOperation,
  model: string,
  input: Record<string, unknown>,
): Record<string, unknown> {
  if (!hasPlainPrompt(compiled, input) || input.prompt === undefined) return { ...input, model };
  const { prompt, system, ...rest } = input;
  const instruction = hasSystem(input) ? [{ role: "system", content: system }] : [];
  return { ...rest, model, messages: [...instruction, { role: "user", content: prompt }] };
}

/** The column that a body field came from; `pointer` is a JSON pointer. */
export function columnOfField(
  compiled: CompiledOperation,
  input: Record<string, unknown>,
  pointer: string,
): string | null {
  const [, field, message] = pointer.split("/");
  if (field !== "messages" || !hasPlainPrompt(compiled, input)) return field ?? null;
  return hasSystem(input) && message === "0" ? "system" : "prompt";
}

function hasPlainPrompt({ operation }: CompiledOperation, input: Record<string, unknown>): boolean {
  const isChat = operation.api_type === "chat-completions";
  const takesPrompt = "prompt" in (operation.input_schema.properties as JsonSchema);
  return isChat && !takesPrompt && input.messages === undefined;
}

function hasSystem({ system }: Record<string, unknown>): boolean {
  return system !== undefined && system !== null;
}
