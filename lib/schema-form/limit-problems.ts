import type { CatalogOperation } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import { type JsonObject, numberOf } from "./json.ts";
import { counted } from "./labels.ts";
import type { FormPlan } from "./plan.ts";
import type { Problem } from "./problem.ts";
import { fieldTitle, rangeWords } from "./problem-messages.ts";

/** Problems that the schema cannot express, from the operation's `limits`. */
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
  const mostImages = numberOf(limits.maxInputImages);
  if (Array.isArray(body.image) && mostImages !== null && body.image.length > mostImages)
    report("/image", `Use at most ${counted(mostImages, "image")}: there are ${body.image.length}.`);
  const mostTokens = numberOf(limits.maxOutputTokens);
  const tokens = numberOf(body.max_tokens);
  if (mostTokens !== null && tokens !== null && tokens > mostTokens)
    report("/max_tokens", rangeWords("a whole number", 1, mostTokens));
  const mostBytes = numberOf(limits.maxRequestBytes);
  const bytes = requestBytes(body);
  if (mostBytes !== null && bytes > mostBytes)
    report(
      "",
      `Shorten the request to ${mostBytes.toLocaleString("en")} bytes: it has ${bytes.toLocaleString("en")}.`,
    );
  return problems;
}

/** The size of a body as it is sent. */
export function requestBytes(body: JsonObject): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}
