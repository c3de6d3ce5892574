import "server-only";
import type { GatewayResult } from "../../gateway/result.ts";
import type { Changed } from "../../operator/change.ts";
import { requestRoute } from "./request.ts";

/** How many of the newest changes to search for our own: others may change something at the same time. */
const newestChanges = 20;

/** Makes a change and finds its audit row, which is needed to undo it. */
export async function withChangeId<Data>(
  call: Promise<GatewayResult<Data>>,
): Promise<GatewayResult<Changed<Data>>> {
  const answer = await call;
  if (!answer.ok) return answer;
  const changes = await requestRoute("GET /operator/changes", { query: { limit: newestChanges } });
  const own = changes.ok && changes.data.data.find((row) => row.request_id === answer.requestId);
  return { ok: true, data: { data: answer.data, changeId: own ? own.id : null } };
}
