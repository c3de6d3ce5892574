import type { CatalogOperation } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { type JsonObject, numberOf } from "./json.ts";
import { counted } from "./labels.ts";
import type { FormPlan } from "./plan.ts";
import type { Problem } from "./problem.ts";
import { describeRange, fieldTitle } from "./problem-messages.ts";

/** Problems that the operation's schema cannot express but its `limits` do. */
export function limitProblems(body: JsonObject, operation: CatalogOperation, plan: FormPlan): Problem[] {
  const { limits } = operation;
  const problems: Problem[] = [];
  const report = (path: string, message: string) =>
    problems.push({ path, field: fieldTitle(path, plan), message });
  const tooLong = (key: string, limit: unknown) => {
    const [text, most] = [body[key], numberOf(limit)];
    if (typeof text !== "string" || most === null) return;
    const length = countCharacters(text);
    if (length > most)
      report(
        `/${key}`,
        `Shorten this to ${counted(most, "character")}: it has ${length.toLocaleString("en")}.`,
      );
  };
  tooLong("prompt", limits.maxPromptCharacters);
  if (operation.api_type === "text-to-speech") tooLong("input", limits.maxInputCharacters);
  const maxImages = numberOf(limits.maxInputImages);
  if (Array.isArray(body.image) && maxImages !== null && body.image.length > maxImages)
    report("/image", `Use at most ${counted(maxImages, "image")}: there are ${body.image.length}.`);
  const maxTokens = numberOf(limits.maxOutputTokens);
  const tokens = numberOf(body.max_tokens);
  if (maxTokens !== null && tokens !== null && tokens > maxTokens)
    report("/max_tokens", describeRange("a whole number", 1, maxTokens));
  const maxBytes = numberOf(limits.maxRequestBytes);
  const bytes = requestBytes(body);
  if (maxBytes !== null && bytes > maxBytes)
    report(
      "",
      `Shorten the request to ${maxBytes.toLocaleString("en")} bytes: it has ${bytes.toLocaleString("en")}.`,
    );
  return problems;
}

/** The size of the body as JSON, in bytes. */
export function requestBytes(body: JsonObject): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}
