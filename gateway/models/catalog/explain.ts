import type { ErrorObject } from "ajv";
import type { ErrorDetail } from "#contract/error.ts";
import { maxDetails } from "#gateway/platform/http/bounded-validation.ts";
import { messageOf } from "#gateway/platform/http/fault-words.ts";

/** Ajv's errors in plain words: one line per field, and one for a choice instead of one per branch of it. */
export function explain(errors: readonly ErrorObject[]): ErrorDetail[] {
  // As many as the schema has, however many items of a list made the same choice.
  const choices = new Set(
    errors
      .filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")
      .map(({ schemaPath }) => `${schemaPath}/`),
  );
  const isInsideChoice = ({ schemaPath }: ErrorObject) =>
    [...choices].some((choice) => schemaPath.startsWith(choice));
  const details = new Map<string, ErrorDetail>();
  for (const error of errors) {
    const path = pathOf(error);
    if (details.has(path) || isInsideChoice(error)) continue;
    details.set(path, detailOf(error));
    if (details.size === maxDetails) break;
  }
  return [...details.values()];
}

function detailOf(error: ErrorObject): ErrorDetail {
  const { keyword } = error;
  return { path: pathOf(error), keyword, message: messageOf(error) };
}

function pathOf({ keyword, instancePath, params }: ErrorObject): string {
  if (keyword === "required") return `${instancePath}/${params.missingProperty}`;
  if (keyword === "additionalProperties") return `${instancePath}/${params.additionalProperty}`;
  return keyword === "discriminator" ? `${instancePath}/${params.tag}` : instancePath;
}
