import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { GatewayResult } from "../gateway/result.ts";

/** The ids of endpoints that the gateway stopped sending to; null if it cannot list them. */
export function stoppedOf(endpoints: GatewayResult<List<Endpoint>>): string[] | null {
  if (!endpoints.ok) return null;
  return endpoints.data.data.filter(({ status }) => status === "auto-disabled").map(({ id }) => id);
}
