import { type Schema, Validator } from "@cfworker/json-schema";
import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidatorType } from "@rjsf/utils";
import { isObject } from "./json.ts";
import { segmentsOf } from "./pointer.ts";
import { satisfies } from "./validator.ts";

/**
 * rjsf's validator interface over @cfworker/json-schema: it compiles nothing, so the console's policy needs no
 * `unsafe-eval`. The playground shows `problemsOf` instead of these raw messages; rjsf itself asks `isValid`.
 */
export const formValidator: ValidatorType = {
  isValid: (schema, formData) => satisfies(schema, withoutUndefined(formData)),
  rawValidation: (schema: RJSFSchema, formData) => ({ errors: errorsOf(schema, formData) as never[] }),
  validateFormData(formData: unknown, schema: RJSFSchema) {
    const errors = errorsOf(schema, formData);
    return { errors, errorSchema: treeOf(errors) };
  },
};

function errorsOf(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  const validator = new Validator(schema as Schema, "2020-12", false);
  return validator.validate(withoutUndefined(formData)).errors.map((unit) => ({
    name: unit.keyword,
    message: unit.error,
    property: segmentsOf(unit.instanceLocation)
      .map((segment) => `.${segment}`)
      .join(""),
    stack: `${unit.instanceLocation} ${unit.error}`,
  }));
}

function treeOf(errors: RJSFValidationError[]): ErrorSchema {
  const root: ErrorSchema = {};
  for (const { property = "", message = "" } of errors) {
    let node: Record<string, unknown> = root;
    for (const segment of property.split(".").filter(Boolean)) {
      const next = node[segment];
      const child: Record<string, unknown> = isObject(next) ? next : {};
      node[segment] = child;
      node = child;
    }
    node.__errors = [...((node.__errors as string[] | undefined) ?? []), message];
  }
  return root;
}

/** JSON has no undefined; the validator refuses to look at one. */
function withoutUndefined(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value));
}
