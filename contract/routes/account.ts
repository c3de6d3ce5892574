import { Type } from "typebox";
import {
  Account,
  AccountMemberships,
  AccountUpdate,
  CurrentAccount,
  History,
  SetupCreate,
  SetupState,
} from "../accounts/account.ts";
import { AccountDeletionCreate, AccountDeletionPreview } from "../accounts/account-deletion.ts";
import { Profile, ProfileUpdate } from "../accounts/profile.ts";
import { Session } from "../accounts/sessions.ts";
import { Attestation, AttestationCreate, AttestationList } from "../attestations.ts";
import { AuditList, AuditQuery } from "../audit.ts";
import { Deleted, NoQuery, PageQuery } from "../list.ts";
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

export const attestationRoutes = {
  "GET /account/attestations": {
    summary: "List statements and attestations",
    permission: "attestations:read",
    extension: true,
    neededToAttest: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: AttestationList },
  },
  "POST /account/attestations": {
    summary: "Attest, as a signed-in user",
    permission: "attestations:make",
    extension: true,
    neededToAttest: true,
    byClick: true,
    body: AttestationCreate,
    answers: { 201: Attestation },
  },
  "DELETE /account/attestations/{kind}": {
    summary: "Withdraw an attestation",
    permission: "attestations:make",
    extension: true,
    neededToAttest: true,
    byClick: true,
    params: Type.Object({ kind: Type.String({ description: "kind or id of the attestation" }) }),
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
