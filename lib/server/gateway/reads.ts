import "server-only";
import { cache } from "react";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { CatalogList } from "#contract/catalog.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { NoticeList } from "#contract/notices.ts";
import type { AttestationDesk } from "@/lib/attestations/gates";
import type { GatewayResult } from "@/lib/gateway/result";
import { unreadByCause } from "@/lib/notices/unread";
import type { OpenApiDocument } from "@/lib/reference/document";
import type { StoryReads } from "@/lib/webhooks/delivery-story";
import { requestLanguage } from "../words.ts";
import { requestGateway, requestRoute } from "./request.ts";

/** Cached for each request, so that a page and its frame share one call. */
export const getAccount = cache((): Promise<GatewayResult<CurrentAccount>> => requestRoute("GET /account"));

/** The unread notices by cause, in the reader's language: what the bell shows. */
export const getUnread = cache(
  async (): Promise<GatewayResult<NoticeList>> =>
    requestRoute("GET /notices", { query: unreadByCause(await requestLanguage()) }),
);

export async function getAttestationDesk(): Promise<GatewayResult<AttestationDesk>> {
  const account = await getAccount();
  if (!account.ok) return account;
  const attestations = await requestRoute("GET /account/attestations");
  if (!attestations.ok) return attestations;
  return { ok: true, data: { account: account.data, attestations: attestations.data } };
}

/** Active keys that run models but have no responsible person. */
export async function listUnansweredKeys(): Promise<ApiKey[]> {
  const keys = await requestRoute("GET /keys", { query: { answered_by: "none", limit: pageLimit.max } });
  return keys.ok ? keys.data.data.filter(({ scopes }) => scopes.includes("inference")) : [];
}

/** The entries of the catalog, without aliases. */
export function getModels(): Promise<GatewayResult<CatalogList>> {
  return requestRoute("GET /models", { query: { aliases: false } });
}

/** Most names to load for each kind. Older keys are shown by id. */
const maxNames = 100;

/** The names of keys and connections (which are keys too), by id. */
export async function getKeyNames(): Promise<Record<string, string>> {
  const query = { limit: maxNames };
  const [keys, connections] = await Promise.all([
    requestRoute("GET /keys", { query }),
    requestRoute("GET /connections", { query }),
  ]);
  return {
    ...(keys.ok && Object.fromEntries(keys.data.data.map(({ id, name }) => [id, name]))),
    ...(connections.ok &&
      Object.fromEntries(connections.data.data.map(({ id, client }) => [id, client.name]))),
  };
}

/** The names of the account's members, by id; none for people who may not read them. */
export async function getMemberNames(): Promise<Record<string, string>> {
  const members = await requestRoute("GET /account/members");
  return members.ok ? Object.fromEntries(members.data.data.map(({ user_id, name }) => [user_id, name])) : {};
}

/** The gateway's OpenAPI document. */
export function getOpenApi(): Promise<GatewayResult<OpenApiDocument>> {
  return requestGateway("/openapi.json");
}

/** Reads a delivery's history on the server. */
export const serverStoryReads: StoryReads = {
  one: (id) => requestRoute("GET /webhooks/deliveries/{id}", { params: { id } }),
  list: (query) => requestRoute("GET /webhooks/deliveries", { query }),
};

/** With fewer runs a time is not typical. */
const minRuns = 3;

/** How a model's runs in this account went in the last 30 days. */
export interface ModelFigures {
  runs: number;
  /** The median time and the time that 95 % of the runs need at most. Null: there are too few successful runs. */
  typicalMs: number | null;
  slowMs: number | null;
}

/** The figures of the models with the most runs; none if the person may not read the account's requests. */
export async function modelFigures(): Promise<ReadonlyMap<string, ModelFigures>> {
  const figures = await requestRoute("GET /activity", { query: { group_by: "model", step: "day" } });
  if (!figures.ok) return new Map();
  return new Map(
    figures.data.groups.flatMap(({ group, runs, errors, latency_ms: { p50, p95 } }) => {
      if (group === null) return [];
      const isTypical = runs - errors >= minRuns;
      return [[group, { runs, typicalMs: isTypical ? p50 : null, slowMs: isTypical ? p95 : null }] as const];
    }),
  );
}
