import { type Static, Type } from "typebox";
import { closed, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import type { Routes } from "./routes/route.ts";
import { reportFields, reportReasons, reportStatuses, shareLimits } from "./share-constants.ts";

/** A visitor of a link reports one of its files. */
export const ReportCreate = Type.Object(
  {
    file: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: shareLimits.outputs,
        default: 1,
        description: "which file of the link, from 1",
      }),
    ),
    reason: Type.Enum(reportReasons),
    comment: Type.Optional(Type.String(reportFields.comment)),
    email: Type.String({
      ...reportFields.email,
      description: "where to answer; owners and operators see it",
      examples: ["ada@example.com"],
    }),
  },
  closed,
);
export type ReportCreate = Static<typeof ReportCreate>;

export const ReportReceived = Type.Object({
  id: Type.String({ description: "to name the report when you write about it" }),
  object: Type.Literal("report_received"),
  created_at: Timestamp,
});
export type ReportReceived = Static<typeof ReportReceived>;

/** Files with the reported bytes are counted only up to this number. */
export const maxCountedFiles = 1_000;

const counts = {
  files: Type.Integer({
    description: `stored files with the same bytes: outputs, kept outputs and uploads; ${maxCountedFiles} at most`,
  }),
};

const common = {
  model: Type.String(),
  content_type: Type.String(),
  sha256: Type.String(),
  shared_url: Nullable(Type.String({ description: "the reported page; null: the link has ended" })),
  reason: Type.Enum(reportReasons),
  comment: Type.String(),
  email: Type.String({ description: "where to answer" }),
  status: Type.Enum(reportStatuses, {
    description: "`removing`: the file is barred, and its copies are being deleted",
  }),
  decided_at: Nullable(Timestamp),
  removed_files: Type.Integer({ description: "deleted so far" }),
  created_at: Timestamp,
};

/** A report as the owners of the account see it: it contains nothing about other accounts. */
export const Report = Type.Object({
  id: Type.String(),
  object: Type.Literal("report"),
  output_id: Type.String(),
  ...common,
  removed_by_operator: Type.Boolean(),
  copies: Type.Object({
    ...counts,
    sent: Type.Integer({ description: "copies at the account's destinations, which are not removed" }),
  }),
});
export type Report = Static<typeof Report>;

export const ReportList = ListOf(Report);
export type ReportList = Static<typeof ReportList>;

/** A report as operators see it. Its status is their own decision, not that of the owners. */
export const OperatorReport = Type.Object({
  id: Type.String(),
  object: Type.Literal("operator.report"),
  account: Type.Object({ id: Type.String(), name: Type.String() }),
  ...common,
});
export type OperatorReport = Static<typeof OperatorReport>;

export const OperatorReportList = ListOf(OperatorReport);
export type OperatorReportList = Static<typeof OperatorReportList>;

export const OperatorReportDetail = Type.Interface([OperatorReport], {
  copies: Type.Object({ ...counts, accounts: Type.Integer({ description: "that have such a file" }) }),
});
export type OperatorReportDetail = Static<typeof OperatorReportDetail>;

export const ReportQuery = Type.Interface(
  [PageQuery],
  { status: Type.Optional(Type.Enum(reportStatuses)) },
  closed,
);
export type ReportQuery = Static<typeof ReportQuery>;

/** Reports of shared files: from the visitors of a link to the owners of its account (extensions). */
export const reportRoutes = {
  "POST /shared/{token}/reports": {
    summary: "Report a file of a link to the owners of its account and to the operators",
    public: true,
    limitedByAddress: true,
    extension: true,
    body: ReportCreate,
    answers: { 201: ReportReceived },
  },
  "GET /reports": {
    summary: "List the reports of the account's shared files",
    permission: "reports:read",
    extension: true,
    fromBrowser: true,
    query: ReportQuery,
    answers: { 200: ReportList },
  },
  "GET /reports/{id}": {
    summary: "Read a report",
    permission: "reports:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Report },
  },
  "POST /reports/{id}/remove": {
    summary: "Remove the reported file with all identical ones of the account, and bar it",
    permission: "reports:write",
    extension: true,
    byClick: true,
    answers: { 200: Report },
  },
  "POST /reports/{id}/dismiss": {
    summary: "Dismiss a report: the file stays",
    permission: "reports:write",
    extension: true,
    byClick: true,
    answers: { 200: Report },
  },
} as const satisfies Routes;

export const operatorReportRoutes = {
  "GET /operator/reports": {
    summary: "List the reports of all accounts' shared files",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: ReportQuery,
    answers: { 200: OperatorReportList },
  },
  "GET /operator/reports/{id}": {
    summary: "Read a report, and in how many accounts the file is",
    operator: true,
    extension: true,
    fromBrowser: true,
    answers: { 200: OperatorReportDetail },
  },
  "POST /operator/reports/{id}/remove": {
    summary: "Remove the reported file with all identical ones of the installation, and bar it",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: OperatorReport },
  },
  "POST /operator/reports/{id}/dismiss": {
    summary: "Dismiss a report as an operator: the owners still decide for themselves",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: OperatorReport },
  },
} as const satisfies Routes;
