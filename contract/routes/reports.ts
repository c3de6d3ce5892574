import {
  OperatorReport,
  OperatorReportDetail,
  OperatorReportList,
  Report,
  ReportCreate,
  ReportList,
  ReportQuery,
  ReportReceived,
} from "../reports.ts";
import type { Routes } from "./route.ts";

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
