import type { CatalogOperation } from "#contract/catalog.ts";
import { recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/**
 * No model's tokenizer makes more than this many characters of ordinary text a token on average, so what is counted by it is the
 * least that a conversation can have: nothing that fits is refused, and what is near the limit is counted by the model itself.
 */
const mostCharactersPerToken = 6;

/**
 * Throws `input_too_large` for a conversation that cannot fit: into what the model reads (`maxInputTokens`), or with the longest answer
 * asked for into its context (`contextWindowTokens`).
 */
export function checkContext({ limits }: CatalogOperation, body: Record<string, unknown>): void {
  const { maxInputTokens, contextWindowTokens } = limits;
  if (typeof maxInputTokens !== "number" && typeof contextWindowTokens !== "number") return;
  const atLeast = Math.floor(charactersOf(body.messages) / mostCharactersPerToken);
  if (typeof maxInputTokens === "number" && atLeast > maxInputTokens)
    throw tooLong(atLeast, `the model reads ${words(maxInputTokens)}`);
  const answer = body.max_completion_tokens ?? body.max_tokens;
  const whole = atLeast + (typeof answer === "number" ? answer : 0);
  if (typeof contextWindowTokens === "number" && whole > contextWindowTokens)
    throw tooLong(
      atLeast,
      `its context has ${words(contextWindowTokens)}${typeof answer === "number" ? `, of which the answer may take ${words(answer)}` : ""}`,
    );
}

function charactersOf(messages: unknown): number {
  let sum = 0;
  for (const { content } of recordsOf(messages)) {
    if (typeof content === "string") sum += content.length;
    else for (const part of recordsOf(content)) sum += textOf(part.text)?.length ?? 0;
  }
  return sum;
}

function tooLong(atLeast: number, limit: string): ApiError {
  return new ApiError(
    "input_too_large",
    `messages has at least ${words(atLeast)} tokens, counted at ${mostCharactersPerToken} characters each; ${limit}.`,
    { param: "messages" },
  );
}

const words = (count: number) => count.toLocaleString("en");
