import type { ErrorObject } from "ajv";
import type { ErrorDetail } from "#contract/error.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { maxDetails } from "#gateway/http/bounded-validation.ts";
import { messageOf } from "#gateway/http/fault-words.ts";

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
  return { path: pathOf(error), keyword, message: `${messageOf(error)}${hintOf(error)}` };
}

/** How many keys of an object are looked at for the one that was meant. */
const mostKeys = 100;

/** The key that was probably meant, where one is missing or unknown. */
function hintOf({ keyword, params, parentSchema, data }: ErrorObject): string {
  const known = Object.keys((parentSchema?.properties ?? {}) as object);
  if (keyword === "additionalProperties") {
    const meant = nearestName(String(params.additionalProperty), known);
    return meant === null ? "" : `; did you mean ${meant}?`;
  }
  if (keyword !== "required") return "";
  const missing = String(params.missingProperty);
  const written = Object.keys(data as object)
    .slice(0, mostKeys)
    .find((name) => !known.includes(name) && nearestName(name, [missing]) !== null);
  return written === undefined ? "" : `; ${written} is unknown, did you mean ${missing}?`;
}

function pathOf({ keyword, instancePath, params }: ErrorObject): string {
  if (keyword === "required") return `${instancePath}/${params.missingProperty}`;
  if (keyword === "additionalProperties") return `${instancePath}/${params.additionalProperty}`;
  return keyword === "discriminator" ? `${instancePath}/${params.tag}` : instancePath;
}
