import type { ErrorObject, ValidateFunction } from "ajv";

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
