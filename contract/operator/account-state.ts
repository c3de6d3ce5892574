import { type Static, Type } from "typebox";
import { AccountContents, deletionStates } from "../accounts/account-deletion.ts";
import { Person } from "../accounts/people.ts";
import { closed, Deleted, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { accountStateFields } from "./constants.ts";

const Reason = Type.String(accountStateFields.reason);

/** An account that operators have suspended. */
export const AccountSuspension = Type.Object({
  object: Type.Literal("operator.account_suspension"),
  reason: Type.String({ description: "callers and members of the account read these words" }),
  since: Timestamp,
  by: Nullable(Person),
});
export type AccountSuspension = Static<typeof AccountSuspension>;

export const SuspensionCreate = Type.Object({ reason: Reason }, closed);
export type SuspensionCreate = Static<typeof SuspensionCreate>;

/** The account's current name confirms that the operator means this account. */
export const DeletionNow = Type.Object({ name: Type.String({ maxLength: 200 }), reason: Reason }, closed);
export type DeletionNow = Static<typeof DeletionNow>;

/** The record of a deletion, which outlives the account. Once finished, it certifies what was removed. */
export const DeletionRecord = Type.Object({
  id: Type.String({ description: "id of the account" }),
  object: Type.Literal("operator.account_deletion"),
  state: Type.Enum([...deletionStates, "finished"]),
  requested_by: Nullable(Type.String({ description: "id of the person or key; null: the command line" })),
  requested_at: Timestamp,
  reason: Nullable(Type.String({ description: "the operator's reason; null: an owner deleted the account" })),
  due_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  /** When the deletion began. */
  contents: Nullable(AccountContents),
  removed: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: "how many rows of each table were removed, with their files",
  }),
  sha256: Nullable(
    Type.String({
      description:
        "of a finished deletion: the SHA-256 of this object without `sha256`, as canonical JSON (RFC 8785)",
    }),
  ),
});
export type DeletionRecord = Static<typeof DeletionRecord>;

export const operatorAccountStateRoutes = {
  "POST /operator/accounts/{id}/suspension": {
    summary: "Suspend an account, or change the words that its callers read",
    operator: true,
    extension: true,
    byClick: true,
    body: SuspensionCreate,
    answers: { 200: AccountSuspension },
  },
  "DELETE /operator/accounts/{id}/suspension": {
    summary: "Lift the suspension of an account",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /operator/accounts/{id}/deletion": {
    summary: "Delete an account at once",
    operator: true,
    extension: true,
    byClick: true,
    body: DeletionNow,
    answers: { 200: DeletionRecord },
  },
  "GET /operator/deletions": {
    summary: "List the deletions of accounts, the newest account first",
    operator: true,
    extension: true,
    query: PageQuery,
    answers: { 200: ListOf(DeletionRecord) },
  },
  "GET /operator/deletions/{id}": {
    summary: "Read the certificate of a deleted account",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: DeletionRecord },
  },
} as const satisfies Routes;
