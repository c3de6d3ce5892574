import type { ValidatorType } from "@rjsf/utils";
import { satisfies } from "./validator.ts";

/** The playground shows `problemsOf`; this is all that rjsf itself needs of a validator. */
export const formValidator: ValidatorType = {
  isValid: (schema, formData) => satisfies(schema, formData ?? {}),
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};
