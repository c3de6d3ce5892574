import { Type } from "typebox";
import { passwordMaxLength, passwordMinLength, personLimits } from "./account-constants.ts";

/** Parsed by `readEmail`. */
export const Email = Type.String({ minLength: 3, maxLength: personLimits.emailLength });
export const Name = Type.String({ minLength: 1, maxLength: personLimits.nameLength, pattern: "\\S" });
export const NewPassword = Type.String({ minLength: passwordMinLength, maxLength: passwordMaxLength });
/** A password that is only checked, not set. */
export const Password = Type.String({ maxLength: passwordMaxLength });
