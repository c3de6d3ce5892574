import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { ErrorDetail } from "../error.ts";
import { nearestName } from "../nearest-name.ts";
import { boundedValidator, boundKeywords, maxDetails } from "./bounded-validation.ts";
import { faultSentence, messageOf } from "./fault-words.ts";

/** Errors quote this many characters of an unknown name. */
const maxNameLength = 100;

/**
 * Checks a body by the schema of its route. The gateway checks every caller's body, the console checks a body
 * before it sends it.
 */
export const compileBody = compiler({ coerceTypes: false });
/** Query strings and path parameters are text, so they are converted to the schema's types. */
export const compileText = compiler({ coerceTypes: true });

function compiler(options: { coerceTypes: boolean }) {
  const [first, all] = [false, true].map((allErrors) => {
    const ajv = new Ajv({
      ...options,
      allErrors,
      useDefaults: true,
      removeAdditional: false,
      strict: false,
      verbose: true,
    });
    return formats.default(boundKeywords(ajv)).addFormat("date-time", { validate: isDateTime });
  }) as [Ajv, Ajv];
  return (schema: object) =>
    boundedValidator(
      () => first.compile(schema),
      () => all.compile(schema),
    );
}

/** The error answer for problems in a request. */
export interface Fault {
  code: "missing_parameter" | "invalid_parameter";
  message: string;
  param: string | null;
  details: ErrorDetail[];
}

export function faultOf(problems: readonly unknown[], where?: string): Fault {
  const details = (problems as ErrorObject[]).slice(0, maxDetails).map(detailOf);
  const first = details[0] ?? { path: "", keyword: "", message: "is not valid" };
  const param = paramAt(first.path) || null;
  const code = first.keyword === "required" ? "missing_parameter" : "invalid_parameter";
  const subject = param ?? (where === "querystring" ? "The query" : where === "row" ? "The row" : "The body");
  const { properties } = ((problems as ErrorObject[])[0]?.parentSchema ?? {}) as { properties?: object };
  return { code, message: faultSentence(subject, details, { ...properties }), param, details };
}

function detailOf(error: ErrorObject): ErrorDetail {
  const { instancePath, keyword, params, parentSchema } = error;
  if (keyword === "required")
    return { path: `${instancePath}/${String(params.missingProperty)}`, keyword, message: "is required" };
  if (keyword === "additionalProperties") {
    const name = String(params.additionalProperty);
    const known = Object.keys((parentSchema?.properties ?? {}) as object);
    return { path: `${instancePath}/${shortened(name)}`, keyword, message: unknownName(name, known) };
  }
  return { path: instancePath, keyword, message: messageOf(error) };
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== null) return `is unknown; did you mean ${meant}?`;
  return known.length === 0 ? "is unknown" : `is unknown; known are ${known.join(", ")}`;
}

/** A name sent by the client, shortened for an error message. */
export function shortened(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

/** Converts a JSON pointer to the notation of `param`: `/messages/1/content` becomes `messages[1].content`. */
export function paramAt(pointer: string): string {
  let name = "";
  for (const step of pointer.split("/").slice(1)) {
    if (/^\d+$/.test(step)) name += `[${step}]`;
    else name += name === "" ? step : `.${step}`;
  }
  return name;
}

const { validate: hasForm } = fullFormats["date-time"] as { validate: (text: string) => boolean };
/** PostgreSQL's text form of a time has a year of four digits AD. */
const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");
/** Longest text of a time, in characters. A time with nine decimals has 35. */
const longestTime = 64;

/** The RFC 3339 times that both JavaScript and PostgreSQL support: no leap seconds, no year 0. */
function isDateTime(text: string): boolean {
  if (text.length > longestTime) return false;
  const time = Date.parse(text);
  return hasForm(text) && time >= earliest && time <= latest;
}
