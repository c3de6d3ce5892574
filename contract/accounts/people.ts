import { type Static, Type } from "typebox";
import { languageCodes } from "#messages/languages.ts";
import { closed, Nullable } from "../list.ts";
import { passwordMaxLength, personFields } from "./constants.ts";

/** A person or key, with the name that lists show. */
export const Person = Type.Object({ id: Type.String(), name: Type.String() });
export type Person = Static<typeof Person>;

/** The creator of a prediction, file or other row: a member, a key, or a member with their personal key. */
export const Maker = Type.Object({ user: Nullable(Person), key: Nullable(Person) });
export type Maker = Static<typeof Maker>;

/** List filters by the creator of the rows. */
export const makerFilters = {
  user_id: Type.Optional(
    Type.String({ description: "Only rows created by this member, signed in or with a personal key" }),
  ),
  key_id: Type.Optional(Type.String({ description: "Only rows created with this account key" })),
};

/** Only checks that the field is text; `readEmail` parses the address. */
export const Email = Type.String(personFields.email);

/** A language of the console and of e-mails. */
export const LanguageCode = Type.Enum(languageCodes);
/** The language of somebody who gets a user, for that user. */
export const NewPersonsLanguage = Type.Enum(languageCodes, {
  description:
    "the new person's language of the console and of e-mails; without it, the console follows the browser, and e-mails are in English",
});

export const Name = Type.String(personFields.name);

export const NewPassword = Type.String(personFields.newPassword);

/** A password that is compared with the stored one, so the rules for new passwords do not apply. */
export const Password = Type.String({ maxLength: passwordMaxLength });

export const LinkToken = Type.String(personFields.linkToken);

/** The token is in the body because URLs are logged. */
export const LinkLookup = Type.Object({ token: LinkToken }, closed);
