import type { ErrorObject, ValidateFunction } from "ajv";

/** More problems than this are not worth a reader's time. */
export const maxDetails = 20;
/** A body with more values than this is told its first problem only: all problems of it could freeze the process. */
const maxValuesForAll = 2_000;

/** What Fastify and the catalog call: true, or false with the problems in `errors`. */
export interface BoundedValidator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * One validator of two of the same schema: `first` stops at the first problem and says whether the data is valid;
 * `all` then collects every problem of data that is small.
 */
export function boundedValidator(first: ValidateFunction, all: ValidateFunction): BoundedValidator {
  const validate: BoundedValidator = (data) => {
    if (first(data)) return true;
    validate.errors = (isSmall(data) && !all(data) ? all.errors : first.errors) ?? null;
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
