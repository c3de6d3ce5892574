import type { ValidatorType } from "@rjsf/utils";
import { satisfies } from "./validator.ts";

/** The playground shows `problemsOf`; of rjsf's validator, rjsf itself asks nothing but this. */
export const formValidator: ValidatorType = {
  isValid: (schema, formData) => satisfies(schema, formData ?? {}),
  rawValidation: () => ({}),
  validateFormData: () => ({ errors: [], errorSchema: {} }),
};
