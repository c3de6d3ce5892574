import "server-only";
import type { Markup, Price, PriceList } from "#contract/operator/prices.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { type MappedOperation, operationsOf } from "@/lib/operator/route-entry";
import { requestRoute } from "@/lib/server/gateway/request";
import { readMapping } from "../mapping/read-mapping.ts";

const perPage = 100;
/** Ten thousand prices, more than a page can usefully show. */
const maxPages = 100;

/** All current and scheduled prices. */
export async function readCurrentPrices(): Promise<GatewayResult<PriceList>> {
  const pageAfter = (after: string | null) =>
    requestRoute("GET /operator/prices", { query: { current: true, limit: perPage, after } });
  const first = await pageAfter(null);
  if (!first.ok) return first;
  const list: PriceList = first.data;
  for (let page = 1; page < maxPages && list.has_more; page += 1) {
    const next = await pageAfter(list.last_id);
    if (!next.ok) return next;
    list.data.push(...next.data.data);
    list.last_id = next.data.last_id;
    list.has_more = next.data.has_more;
  }
  return { ok: true, data: list };
}

export interface PriceMapping {
  operations: MappedOperation[];
  /** The preset of each provider, by provider name. */
  presets: Record<string, string | null>;
}

/** Which provider runs which operation: the combinations that can have a price. */
export async function readPriceMapping(): Promise<GatewayResult<PriceMapping>> {
  const mapping = await readMapping();
  if (!mapping.ok) return mapping;
  const { models, providers, table } = mapping.data;
  return {
    ok: true,
    data: {
      operations: operationsOf(models, table.data),
      presets: Object.fromEntries(providers.map(({ name, preset }) => [name, preset])),
    },
  };
}

/** Names of the accounts that have their own prices or markups. */
export async function readAccountNames(
  owned: readonly Pick<Price | Markup, "account_id">[],
): Promise<Record<string, string>> {
  const ids = [...new Set(owned.flatMap(({ account_id }) => account_id ?? []))];
  if (ids.length === 0) return {};
  const accounts = await requestRoute("GET /operator/accounts", { query: { ids: ids.join() } });
  return accounts.ok ? Object.fromEntries(accounts.data.data.map(({ id, name }) => [id, name])) : {};
}
