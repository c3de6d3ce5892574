import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { GatewayResult } from "../gateway/result.ts";

/** The query for the endpoints to which the gateway stopped sending: the newest ones and their number. */
export const stoppedQuery = { status: "auto-disabled", limit: 20, count: true } as const;

export interface StoppedEndpoints {
  /** Ids of the newest ones. */
  ids: readonly string[];
  count: number;
}

/** Null if the gateway cannot list endpoints. */
export function stoppedOf(endpoints: GatewayResult<List<Endpoint>>): StoppedEndpoints | null {
  if (!endpoints.ok) return null;
  const { data, total } = endpoints.data;
  return { ids: data.map(({ id }) => id), count: total?.count ?? data.length };
}
