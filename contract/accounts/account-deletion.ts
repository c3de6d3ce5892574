import { type Static, Type } from "typebox";
import { closed, Deleted, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
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

export const deletionRoutes = {
  "GET /account/deletion": {
    summary: "Read what is deleted with the account, and whether its deletion is scheduled",
    permission: "account:manage",
    extension: true,
    byClick: true,
    query: NoQuery,
    answers: { 200: AccountDeletionPreview },
  },
  "POST /account/deletion": {
    summary: "Schedule the deletion of the account in one week",
    permission: "account:manage",
    extension: true,
    idempotent: true,
    byClick: true,
    body: AccountDeletionCreate,
    answers: { 201: AccountDeletionPreview },
  },
  "DELETE /account/deletion": {
    summary: "Cancel the deletion of the account",
    permission: "account:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
