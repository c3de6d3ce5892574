import { type Static, Type } from "typebox";
import { closed, NoQuery, Nullable, Timestamp } from "../list.ts";
import { bytesOf, type Routes } from "../routes/route.ts";
import { Person } from "./people.ts";

/** How long the parts of an export can be downloaded. */
export const exportDays = 7;

const Counted = Type.Integer({ minimum: 0 });

/** One ZIP of an export. */
export const AccountExportPart = Type.Object({
  number: Type.Integer({ description: "number of the part, counted from 1" }),
  rows: Type.Integer({ minimum: 0, description: "number of rows when the export began" }),
  file_bytes: Type.Integer({ minimum: 0, description: "size of its files when the export began" }),
  sent_at: Nullable(
    Type.String({ format: "date-time", description: "when it was last sent completely; null: never" }),
  ),
});
export type AccountExportPart = Static<typeof AccountExportPart>;

export const AccountExport = Type.Object({
  object: Type.Literal("account_export"),
  export: Nullable(
    Type.Object(
      {
        begun_by: Nullable(Person),
        begun_at: Type.String({
          format: "date-time",
          description: "rows that were made later are not in it",
        }),
        expires_at: Timestamp,
        rows: Counted,
        file_bytes: Counted,
        parts: Type.Array(AccountExportPart),
      },
      { description: "the last export that was begun; null: none, or it has expired" },
    ),
  ),
  operator_until: Nullable(
    Type.String({
      format: "date-time",
      description: "until when an operator may export the account with its contents; null: not allowed",
    }),
  ),
});
export type AccountExport = Static<typeof AccountExport>;

/** The account's current name, as confirmation that the caller means this account. */
export const AccountExportCreate = Type.Object({ name: Type.String({ maxLength: 200 }) }, closed);
export type AccountExportCreate = Static<typeof AccountExportCreate>;

/** Until when an operator may export the account with its contents: at most `exportDays` from now. */
export const OperatorExportConsent = Type.Object(
  { until: Nullable(Type.String({ format: "date-time", description: "null withdraws the consent" })) },
  closed,
);
export type OperatorExportConsent = Static<typeof OperatorExportConsent>;

export const exportRoutes = {
  "GET /account/export": {
    summary: "Read the export of the account, with its parts",
    permission: "account:manage",
    person: true,
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: AccountExport },
  },
  "POST /account/export": {
    summary: "Begin an export of everything in the account; it replaces the last one",
    permission: "account:manage",
    person: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: AccountExportCreate,
    answers: { 201: AccountExport },
  },
  "GET /account/export/parts/{number}": {
    summary: "Download a part of the export",
    permission: "account:manage",
    person: true,
    extension: true,
    fromBrowser: true,
    params: Type.Object({ number: Type.Integer({ minimum: 1 }) }),
    otherAnswers: { 200: bytesOf("application/zip", "Rows as JSONL, and files") },
  },
  "PUT /account/export/operator": {
    summary: "Allow an operator to export the account with its contents for some days, or withdraw that",
    permission: "account:manage",
    person: true,
    extension: true,
    byClick: true,
    body: OperatorExportConsent,
    answers: { 200: AccountExport },
  },
} as const satisfies Routes;
