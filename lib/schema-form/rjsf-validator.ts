import type { ValidatorType } from "@rjsf/utils";
import { satisfies } from "./validator.ts";

/** The few functions that rjsf needs of a validator. The playground shows the problems from `problemsOf`. */
export const formValidator: ValidatorType = {
  isValid: (schema, formData) => satisfies(schema, formData ?? {}),
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};
