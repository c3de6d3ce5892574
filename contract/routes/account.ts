import {
  Account,
  AccountMemberships,
  AccountUpdate,
  CurrentAccount,
  History,
  SetupCreate,
  SetupState,
} from "../accounts/account.ts";
import { Profile, ProfileUpdate } from "../accounts/profile.ts";
import { Session } from "../accounts/sessions.ts";
import { AuditList, AuditQuery } from "../audit.ts";
import { NoQuery } from "../list.ts";
import type { Routes } from "./route.ts";

export const accountRoutes = {
  "GET /account/setup": {
    summary: "Whether the first account must still be created",
    public: true,
    extension: true,
    neededToAttest: true,
    answers: { 200: SetupState },
  },
  "POST /account/setup": {
    summary: "Create the first account",
    public: true,
    extension: true,
    neededToAttest: true,
    body: SetupCreate,
    answers: { 201: Session },
  },
  "GET /account": {
    summary: "Read the account",
    extension: true,
    neededToAttest: true,
    fromBrowser: true,
    answers: { 200: CurrentAccount },
  },
  "PATCH /account": {
    summary: "Rename the account, or require a second factor of its members",
    permission: "account:manage",
    extension: true,
    byClick: true,
    body: AccountUpdate,
    answers: { 200: Account },
  },
  "GET /account/profile": {
    summary: "Read the signed-in person",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    answers: { 200: Profile },
  },
  "PATCH /account/profile": {
    summary: "Change the name of the signed-in person",
    person: true,
    anyAccount: true,
    extension: true,
    byClick: true,
    body: ProfileUpdate,
    answers: { 200: Profile },
  },
  "GET /accounts": {
    summary: "List the accounts of the signed-in person",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    query: NoQuery,
    answers: { 200: AccountMemberships },
  },
  "GET /account/history": {
    summary: "Read how long history is kept",
    permission: "audit:read",
    extension: true,
    answers: { 200: History },
  },
  "GET /audit_logs": {
    summary: "Read the audit log",
    permission: "audit:read",
    extension: true,
    fromBrowser: true,
    query: AuditQuery,
    answers: { 200: AuditList },
  },
} as const satisfies Routes;
