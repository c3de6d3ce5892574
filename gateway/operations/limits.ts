import type { CatalogOperation } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { ApiError } from "#gateway/core/api-error.ts";

/** Rules of a kind of operation that are not in the entries' schemas. */
const chatExtras: Record<string, (value: unknown) => string | null> = {
  stream: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  temperature: (value) =>
    typeof value === "number" && value >= 0 && value <= 2 ? null : "must be a number from 0 to 2",
  top_p: (value) =>
    typeof value === "number" && value >= 0 && value <= 1 ? null : "must be a number from 0 to 1",
  n: (value) => (value === 1 ? null : "must be 1"),
  tools: (value) => (Array.isArray(value) ? null : "must be an array"),
};

/**
 * Enforces the limits of an operation that its schema cannot or does not express (specification, "Limits"). Byte limits
 * of media are enforced where the bytes are read.
 */
export function checkLimits(operation: CatalogOperation, body: Record<string, unknown>): void {
  const limits = operation.limits;
  const limit = (name: string): number | null => (typeof limits[name] === "number" ? limits[name] : null);

  const maxPrompt = limit("maxPromptCharacters");
  if (maxPrompt !== null) checkLength("prompt", body.prompt, maxPrompt);
  const maxInput = limit("maxInputCharacters");
  if (maxInput !== null) checkLength("input", body.input, maxInput);

  if (operation.api_type === "chat-completions") {
    for (const [name, check] of Object.entries(chatExtras)) {
      const problem = body[name] === undefined || body[name] === null ? null : check(body[name]);
      if (problem) throw new ApiError("invalid_parameter", `${name} ${problem}`, { param: name });
    }
    for (const name of ["max_tokens", "max_completion_tokens"])
      checkTokens(name, body[name], limit("maxOutputTokens"));
  }
}

function checkLength(param: string, value: unknown, max: number): void {
  if (typeof value !== "string") return;
  const length = countCharacters(value);
  if (length > max)
    throw new ApiError("input_too_large", `${param} has ${length} characters; at most ${max} are accepted.`, {
      param,
    });
}

function checkTokens(param: string, value: unknown, max: number | null): void {
  if (value === undefined || value === null) return;
  if (!Number.isInteger(value) || Number(value) < 1 || (max !== null && Number(value) > max))
    throw new ApiError(
      "invalid_parameter",
      `${param} must be a whole number from 1 to ${max ?? "the model's limit"}`,
      { param },
    );
}
