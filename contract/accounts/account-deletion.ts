import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { Person } from "./people.ts";

/** `scheduled`: can be cancelled until `due_at`. `running`: rows and files are being removed. */
export const deletionStates = ["scheduled", "running"] as const;

/** The scheduled deletion of an account. */
export const AccountDeletion = Type.Object({
  state: Type.Enum(deletionStates),
  requested_by: Nullable(Person),
  requested_at: Timestamp,
  due_at: Timestamp,
  progress: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "share of the account's rows that are already deleted",
  }),
});
export type AccountDeletion = Static<typeof AccountDeletion>;

const Counted = Type.Integer({ minimum: 0 });

/** The rows and files that are deleted with an account. */
export const AccountContents = Type.Object({
  members: Counted,
  /** Members who belong to no other account. They are deleted together with this one. */
  people: Counted,
  keys: Counted,
  endpoints: Counted,
  invitations: Counted,
  attestations: Counted,
  presets: Counted,
  conversations: Counted,
  batches: Counted,
  predictions: Counted,
  uploads: Counted,
  deliveries: Counted,
  requests: Counted,
  audit_logs: Counted,
  stored_bytes: Counted,
});
export type AccountContents = Static<typeof AccountContents>;

export const AccountDeletionPreview = Type.Object({
  object: Type.Literal("account_deletion"),
  deletion: Nullable(AccountDeletion),
  contents: AccountContents,
  counted_to: Type.Integer({ description: "counting stops here: a count of this size may be higher" }),
});
export type AccountDeletionPreview = Static<typeof AccountDeletionPreview>;

/** The account's current name, as confirmation that the caller means this account. */
export const AccountDeletionCreate = Type.Object({ name: Type.String({ maxLength: 200 }) }, closed);
export type AccountDeletionCreate = Static<typeof AccountDeletionCreate>;
