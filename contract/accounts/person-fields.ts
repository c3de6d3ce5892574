import { Type } from "typebox";
import { passwordMaxLength, personFields } from "./account-constants.ts";

/** Only checks that the field is text; `readEmail` parses the address. */
export const Email = Type.String(personFields.email);
export const Name = Type.String(personFields.name);
export const NewPassword = Type.String(personFields.newPassword);
/** A password that is compared with the stored one, so the rules for new passwords do not apply. */
export const Password = Type.String({ maxLength: passwordMaxLength });
