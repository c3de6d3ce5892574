import type { List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { GatewayResult } from "../gateway/result.ts";

/** Most pages that are read. Endpoints on later pages are not counted. */
const maxPages = 10;

/** All endpoints of the account, read page by page. */
export async function everyEndpoint(
  read: (query: { limit: number; after?: string }) => Promise<GatewayResult<List<Endpoint>>>,
): Promise<GatewayResult<Endpoint[]>> {
  const endpoints: Endpoint[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await read({ limit: pageLimit.max, ...(after !== null && { after }) });
    if (!answer.ok) return answer;
    endpoints.push(...answer.data.data);
    after = answer.data.last_id;
    if (!answer.data.has_more) break;
  }
  return { ok: true, data: endpoints };
}

/** The ids of endpoints to which the gateway stopped sending. Null if it cannot list endpoints. */
export function stoppedOf(endpoints: GatewayResult<Endpoint[]>): string[] | null {
  if (!endpoints.ok) return null;
  return endpoints.data.filter(({ status }) => status === "auto-disabled").map(({ id }) => id);
}
