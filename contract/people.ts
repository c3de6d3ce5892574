import { type Static, Type } from "typebox";

/** Somebody or something, as lists name them. */
export const Person = Type.Object({ id: Type.String(), name: Type.String() });
export type Person = Static<typeof Person>;
