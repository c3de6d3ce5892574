import { Deleted, NoQuery } from "../list.ts";
import {
  MailStatus,
  MailTest,
  Notice,
  NoticeHook,
  NoticeHookCreate,
  NoticeHookList,
  NoticeHookUpdate,
  NoticeList,
  NoticePreferences,
  NoticePreferencesUpdate,
  NoticeQuery,
  NoticesRead,
  NoticesReadAll,
  OperatorHookCreate,
  OperatorHookUpdate,
  TestResult,
} from "../notices.ts";
import type { Routes } from "./route.ts";

export const noticeRoutes = {
  "GET /notices": {
    summary: "List one's notices; a service key lists those of the account",
    permission: "notices:read",
    extension: true,
    fromBrowser: true,
    query: NoticeQuery,
    answers: { 200: NoticeList },
  },
  "POST /notices/{id}/read": {
    summary: "Mark a notice as read",
    permission: "notices:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Notice },
  },
  "POST /notices/read_all": {
    summary: "Mark all notices as read",
    permission: "notices:read",
    extension: true,
    fromBrowser: true,
    body: NoticesReadAll,
    answers: { 200: NoticesRead },
  },
  "GET /notices/preferences": {
    summary: "Read what one hears of, and how",
    person: true,
    extension: true,
    query: NoQuery,
    answers: { 200: NoticePreferences },
  },
  "PATCH /notices/preferences": {
    summary: "Choose what to hear of, and how",
    person: true,
    extension: true,
    body: NoticePreferencesUpdate,
    answers: { 200: NoticePreferences },
  },
  "GET /notices/hooks": {
    summary: "List the incoming webhooks that notices are posted to",
    permission: "notices:manage",
    extension: true,
    query: NoQuery,
    answers: { 200: NoticeHookList },
  },
  "POST /notices/hooks": {
    summary: "Post notices to an incoming webhook: Slack's, Discord's, Teams' or plain JSON",
    permission: "notices:manage",
    extension: true,
    body: NoticeHookCreate,
    answers: { 201: NoticeHook },
  },
  "PATCH /notices/hooks/{id}": {
    summary: "Change an incoming webhook",
    permission: "notices:manage",
    extension: true,
    body: NoticeHookUpdate,
    answers: { 200: NoticeHook },
  },
  "DELETE /notices/hooks/{id}": {
    summary: "Delete an incoming webhook",
    permission: "notices:manage",
    extension: true,
    answers: { 200: Deleted },
  },
  "POST /notices/hooks/{id}/test": {
    summary: "Post a test message to an incoming webhook",
    permission: "notices:manage",
    extension: true,
    answers: { 200: TestResult },
  },
} as const satisfies Routes;

export const operatorHookRoutes = {
  "GET /operator/notice_hooks": {
    summary: "List the incoming webhooks that notices of the installation are posted to",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: NoticeHookList },
  },
  "POST /operator/notice_hooks": {
    summary: "Post notices of the installation to an incoming webhook",
    operator: true,
    extension: true,
    body: OperatorHookCreate,
    answers: { 201: NoticeHook },
  },
  "PATCH /operator/notice_hooks/{id}": {
    summary: "Change an incoming webhook of the operators",
    operator: true,
    extension: true,
    body: OperatorHookUpdate,
    answers: { 200: NoticeHook },
  },
  "DELETE /operator/notice_hooks/{id}": {
    summary: "Delete an incoming webhook of the operators",
    operator: true,
    extension: true,
    answers: { 200: Deleted },
  },
  "POST /operator/notice_hooks/{id}/test": {
    summary: "Post a test message to an incoming webhook of the operators",
    operator: true,
    extension: true,
    answers: { 200: TestResult },
  },
} as const satisfies Routes;

export const operatorMailRoutes = {
  "GET /operator/mail": {
    summary: "Read whether e-mail works",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: MailStatus },
  },
  "POST /operator/mail/test": {
    summary: "Send a test e-mail, to oneself or another address",
    operator: true,
    extension: true,
    body: MailTest,
    answers: { 200: TestResult },
  },
} as const satisfies Routes;
