import { Type } from "typebox";
import { passwordMaxLength, personFields } from "./account-constants.ts";

/** Parsed by `readEmail`. */
export const Email = Type.String(personFields.email);
export const Name = Type.String(personFields.name);
export const NewPassword = Type.String(personFields.newPassword);
/** A password that is only checked, not set. */
export const Password = Type.String({ maxLength: passwordMaxLength });
