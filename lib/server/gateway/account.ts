import "server-only";
import { cache } from "react";
import type { Account, AccountUpdate, History } from "#contract/account.ts";
import type { AccountDeletionCreate, AccountDeletionPreview } from "#contract/account-deletion.ts";
import type {
  Attestation,
  AttestationCreate,
  AttestationKind,
  AttestationList,
} from "#contract/attestations.ts";
import type { AuditRow } from "#contract/audit.ts";
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  KeyQuery,
} from "#contract/keys.ts";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { AttestationDesk } from "../../attestations/desk.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";
import type { Query } from "./send.ts";

/** Page of a list plus whatever filters the route knows. */
type ListQuery = Query & { [Name in keyof PageQuery]?: PageQuery[Name] | null | undefined };

/** Read once for a page and its frame. */
export const getAccount = cache((): Promise<GatewayResult<Account>> => requestRoute("GET /account"));

export function updateAccount(body: AccountUpdate): Promise<GatewayResult<Account>> {
  return requestRoute("PATCH /account", { body });
}

export function getDeletion(): Promise<GatewayResult<AccountDeletionPreview>> {
  return requestRoute("GET /account/deletion");
}

export function orderDeletion(body: AccountDeletionCreate): Promise<GatewayResult<AccountDeletionPreview>> {
  return requestRoute("POST /account/deletion", { body });
}

export function cancelDeletion(): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /account/deletion");
}

export function getHistory(): Promise<GatewayResult<History>> {
  return requestRoute("GET /account/history");
}

export function listAttestations(): Promise<GatewayResult<AttestationList>> {
  return requestRoute("GET /account/attestations");
}

export async function getAttestationDesk(): Promise<GatewayResult<AttestationDesk>> {
  const account = await getAccount();
  if (!account.ok) return account;
  const attestations = await listAttestations();
  if (!attestations.ok) return attestations;
  return { ok: true, data: { account: account.data, attestations: attestations.data } };
}

export function createAttestation(body: AttestationCreate): Promise<GatewayResult<Attestation>> {
  return requestRoute("POST /account/attestations", { body });
}

export function revokeAttestation(kind: AttestationKind): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /account/attestations/{kind}", { params: { kind } });
}

export function listKeys(
  query: ListQuery & Pick<KeyQuery, "user_id" | "answered_by"> = {},
): Promise<GatewayResult<List<ApiKey>>> {
  return requestRoute("GET /keys", { query });
}

/** Working keys that run models, for which nobody is responsible. */
export async function listUnansweredKeys(): Promise<ApiKey[]> {
  const keys = await listKeys({ answered_by: "none", limit: pageLimit.max });
  return keys.ok ? keys.data.data.filter(({ scopes }) => scopes.includes("inference")) : [];
}

/** Only this answer has the key's secret: pass it to its dialog and store it nowhere. */
export function createKey(body: ApiKeyCreate): Promise<GatewayResult<ApiKeyWithSecret>> {
  return requestRoute("POST /keys", { body });
}

/** Only this answer has the new key's secret. */
export function rotateKey(id: string, body: ApiKeyRotate = {}): Promise<GatewayResult<ApiKeyWithSecret>> {
  return requestRoute("POST /keys/{id}/rotate", { params: { id }, body });
}

export function updateKey(id: string, body: ApiKeyUpdate): Promise<GatewayResult<ApiKey>> {
  return requestRoute("PATCH /keys/{id}", { params: { id }, body });
}

export function revokeKey(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /keys/{id}", { params: { id } });
}

export function listAuditLogs(query: ListQuery = {}): Promise<GatewayResult<List<AuditRow>>> {
  return requestRoute("GET /audit_logs", { query });
}
