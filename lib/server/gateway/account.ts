import "server-only";
import { cache } from "react";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { AttestationDesk } from "../../attestations/desk.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";

/** Cached, so that a page and its frame share one request. */
export const getAccount = cache((): Promise<GatewayResult<CurrentAccount>> => requestRoute("GET /account"));

export async function getAttestationDesk(): Promise<GatewayResult<AttestationDesk>> {
  const account = await getAccount();
  if (!account.ok) return account;
  const attestations = await requestRoute("GET /account/attestations");
  if (!attestations.ok) return attestations;
  return { ok: true, data: { account: account.data, attestations: attestations.data } };
}

/** Active keys that run models and have no responsible person. */
export async function listUnansweredKeys(): Promise<ApiKey[]> {
  const keys = await requestRoute("GET /keys", { query: { answered_by: "none", limit: pageLimit.max } });
  return keys.ok ? keys.data.data.filter(({ scopes }) => scopes.includes("inference")) : [];
}
