import { type Static, Type } from "typebox";
import { Nullable } from "../nullable.ts";

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
