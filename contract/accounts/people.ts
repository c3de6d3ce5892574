import { type Static, Type } from "typebox";
import { Nullable } from "../nullable.ts";

/** A person or key, as named in lists. */
export const Person = Type.Object({ id: Type.String(), name: Type.String() });
export type Person = Static<typeof Person>;

/** The creator of something: a member, a key, or a member with their personal key. */
export const Maker = Type.Object({ user: Nullable(Person), key: Nullable(Person) });
export type Maker = Static<typeof Maker>;

/** List filters by creator. */
export const makerFilters = {
  user_id: Type.Optional(
    Type.String({ description: "Only of this member: their sessions and personal keys" }),
  ),
  key_id: Type.Optional(Type.String({ description: "Only of this account key" })),
};
