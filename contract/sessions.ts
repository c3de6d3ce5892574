import { type Static, Type } from "typebox";
import { Account, AccountMembership } from "./account.ts";
import { closed } from "./list.ts";
import { Timestamp } from "./nullable.ts";

/** How a session was opened. */
export const sessionMethods = ["setup", "password", "invitation", "key"] as const;
export type SessionMethod = (typeof sessionMethods)[number];

export const SessionCreate = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 200 }),
  },
  closed,
);
export type SessionCreate = Static<typeof SessionCreate>;

/** `token` is the bearer of a signed-in user; only this answer shows it. */
export const Session = Type.Object({
  id: Type.String(),
  object: Type.Literal("session"),
  token: Type.String(),
  expires_at: Timestamp,
  /** Of a person with several accounts the one that they joined first. */
  account: Account,
  accounts: Type.Array(AccountMembership, { description: "those of the person; none for an account key" }),
});
export type Session = Static<typeof Session>;
