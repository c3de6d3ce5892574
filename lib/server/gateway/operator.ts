import "server-only";
import type { GatewayResult } from "../../gateway/result.ts";
import type { Changed } from "../../operator/change.ts";
import { requestRoute } from "./request.ts";

/** How many of the newest changes are looked through for one's own: others may change something at the same moment. */
const newestChanges = 20;

/** Does a change, and finds the audit row that it wrote: by that it can be undone. */
export async function changing<Data>(
  call: Promise<GatewayResult<Data>>,
): Promise<GatewayResult<Changed<Data>>> {
  const answer = await call;
  if (!answer.ok) return answer;
  const changes = await requestRoute("GET /operator/changes", { query: { limit: newestChanges } });
  const own = changes.ok && changes.data.data.find((row) => row.request_id === answer.requestId);
  return { ok: true, data: { data: answer.data, changeId: own ? own.id : null } };
}
