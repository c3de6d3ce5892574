import "server-only";
import { type List, pageLimit } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import { dayMs, goesSoon, soonMs } from "@/components/home/summary";
import type { GatewayResult } from "@/lib/gateway/result";
import { listRegions } from "@/lib/server/gateway/catalog";
import { listPredictions } from "@/lib/server/gateway/predictions";
import { listUploads } from "@/lib/server/gateway/uploads";
import { listDeliveries, listEndpoints } from "@/lib/server/gateway/webhooks";

/** Everything that the home page tells; what a gateway does not offer comes back as its failure. */
export async function loadHome(nowMs: number) {
  const at = (ms: number) => new Date(ms).toISOString();
  const limit = pageLimit.max;
  const lastDay = { created_after: at(nowMs - dayMs), limit };
  // Files stay for a day: what goes soon was made about that long ago, and may not be among the newest.
  const aboutToGo = {
    status: "succeeded",
    created_after: at(nowMs - 2 * dayMs),
    created_before: at(nowMs - dayMs + soonMs),
    limit,
  };
  const [predictions, older, deliveries, deadLetters, endpoints, uploads, regions] = await Promise.all([
    listPredictions(lastDay),
    listPredictions(aboutToGo),
    listDeliveries(lastDay),
    listDeliveries({ ...lastDay, status: "dead-letter" }),
    listEndpoints({ limit }),
    listUploads({ limit }),
    listRegions(),
  ]);
  const byId = new Map([...rowsOf(predictions), ...rowsOf(older)].map((each) => [each.id, each]));
  const expiring = [...byId.values()].filter((each: Prediction) => goesSoon(each, nowMs));
  return { predictions, deliveries, deadLetters, endpoints, uploads, regions, expiring };
}

/** The rows of a list; none where it failed. */
export function rowsOf<Row>(result: GatewayResult<List<Row>>): Row[] {
  return result.ok ? result.data.data : [];
}
