import { _, type Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { hasFewerCharacters, hasMoreCharacters } from "../characters.ts";
import { hasTwins } from "../input-schema/json-values.ts";

/** The most problems that an error reports. */
export const maxDetails = 20;

/**
 * For a body with more values, only the first problem is reported, because collecting all could block the
 * process.
 */
const maxValuesForAll = 2_000;

/**
 * Returns true, or false with the problems in `errors`, as ajv's validators do; Fastify and the catalog
 * expect this.
 */
export interface BoundedValidator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * Combines two validators of one schema. The first stops at the first problem. If the data is small, the
 * second then collects every problem. Each is compiled at its first use, because compiling all routes took a
 * tenth of the start time.
 */
export function boundedValidator(
  compileFirst: () => ValidateFunction,
  compileAll: () => ValidateFunction,
): BoundedValidator {
  let first: ValidateFunction | undefined;
  let all: ValidateFunction | undefined;
  const validate: BoundedValidator = (data) => {
    first ??= compileFirst();
    if (first(data)) return true;
    validate.errors = first.errors ?? null;
    if (!isSmall(data)) return false;
    all ??= compileAll();
    if (!all(data)) validate.errors = all.errors ?? null;
    return false;
  };
  return validate;
}

function isSmall(data: unknown): boolean {
  const waiting = [data];
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count > maxValuesForAll) return false;
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    const children = Array.isArray(value) ? value : Object.values(value);
    if (children.length > maxValuesForAll) return false;
    for (const child of children) waiting.push(child);
  }
  return true;
}

/**
 * Replaces keywords of ajv whose time grows too fast: `maxLength` and `minLength` count all characters of a
 * text of any length, and `uniqueItems` compares every pair of items.
 */
export function boundKeywords<Validator extends Ajv | Ajv2020>(ajv: Validator): Validator {
  boundLength(ajv, "maxLength", hasMoreCharacters);
  boundLength(ajv, "minLength", hasFewerCharacters);
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not have the same item twice" },
    validate: (unique: boolean, items: unknown[]) => !unique || !hasTwins(items),
  });
  return ajv;
}

function boundLength(
  ajv: Ajv | Ajv2020,
  keyword: string,
  isBroken: (text: string, limit: number) => boolean,
) {
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword,
    type: "string",
    schemaType: "number",
    error: { message: `breaks ${keyword}`, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
    code: (place) => {
      const check = place.gen.scopeValue("func", { ref: isBroken });
      place.fail(_`${check}(${place.data}, ${place.schemaCode})`);
    },
  });
}
