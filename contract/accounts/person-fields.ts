import { Type } from "typebox";
import { closed } from "../list.ts";
import { passwordMaxLength, personFields } from "./account-constants.ts";

/** Only checks that the field is text; `readEmail` parses the address. */
export const Email = Type.String(personFields.email);
export const Name = Type.String(personFields.name);
export const NewPassword = Type.String(personFields.newPassword);
/** A password that is compared with the stored one, so the rules for new passwords do not apply. */
export const Password = Type.String({ maxLength: passwordMaxLength });

export const LinkToken = Type.String({ minLength: 1, maxLength: 200 });

/** The token is in the body because URLs are logged. */
export const LinkLookup = Type.Object({ token: LinkToken }, closed);
