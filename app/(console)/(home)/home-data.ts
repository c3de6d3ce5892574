import "server-only";
import type { Counted } from "#contract/counted.ts";
import type { List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Summary } from "#contract/summary.ts";
import type { Delivery } from "#contract/webhook.ts";
import type { HomeCounts } from "@/components/home/home-figures";
import { goesSoon, soonMs } from "@/components/home/needs";
import { spanBounds } from "@/lib/activity/spans";
import type { GatewayResult } from "@/lib/gateway/result";
import { listUnansweredKeys } from "@/lib/server/gateway/account";
import { requestRoute } from "@/lib/server/gateway/request";
import { getEndpoints } from "@/lib/server/gateway/webhooks";

const dayMs = 24 * 3_600_000;

/** The newest pictures, as many as fit a line of a wide window. */
const maxPictures = 8;

/** Reads everything the home page shows. A route that the gateway does not offer is reported as a failure. */
export async function loadHome(nowMs: number, isOperator: boolean) {
  const at = (ms: number) => new Date(ms).toISOString();
  const limit = pageLimit.max;
  const lastDay = { created_after: at(nowMs - dayMs), limit };
  // Files are kept for a day, so those that expire soon may not be among the newest predictions.
  const aboutToGo = {
    status: "succeeded" as const,
    created_after: at(nowMs - 2 * dayMs),
    created_before: at(nowMs - dayMs + soonMs),
    limit,
  };
  const [
    activity,
    summary,
    predictions,
    older,
    retrying,
    deadLetters,
    endpoints,
    pictures,
    regions,
    unanswered,
    ofInstance,
  ] = await Promise.all([
    requestRoute("GET /activity", { query: spanBounds("24h", nowMs) }),
    requestRoute("GET /summary"),
    requestRoute("GET /predictions", { query: lastDay }),
    requestRoute("GET /predictions", { query: aboutToGo }),
    requestRoute("GET /webhooks/deliveries", { query: { ...lastDay, status: "failed", retried: false } }),
    requestRoute("GET /webhooks/deliveries", {
      query: { ...lastDay, status: "dead-letter", retried: false },
    }),
    getEndpoints(),
    requestRoute("GET /outputs", { query: { limit: maxPictures, kind: "image" } }),
    requestRoute("GET /regions"),
    listUnansweredKeys(),
    isOperator ? requestRoute("GET /operator/first_steps") : null,
  ]);
  const byId = new Map([...rowsOf(predictions), ...rowsOf(older)].map((each) => [each.id, each]));
  const expiring = [...byId.values()].filter((each: Prediction) => goesSoon(each, nowMs));
  const counts = countsOf(summary, retrying, deadLetters);
  const steps = summary.ok ? summary.data.first_steps : null;
  const unansweredKeys = unanswered.map(({ name }) => name);
  return {
    activity,
    unansweredKeys,
    steps,
    stepsOfInstance: ofInstance?.ok ? ofInstance.data.steps : null,
    counts,
    predictions,
    endpoints: endpoints.ok ? endpoints.data : [],
    pictures: rowsOf(pictures),
    regions,
    expiring,
  };
}

/** The rows of a list; none if it could not be read. */
function rowsOf<Row>(result: GatewayResult<List<Row>>): Row[] {
  return result.ok ? result.data.data : [];
}

type Deliveries = GatewayResult<List<Delivery>>;

/** The gateway's counts, or, from a gateway without counts, those of the lists of failed deliveries. */
function countsOf(
  summary: GatewayResult<Summary>,
  retrying: Deliveries,
  deadLetters: Deliveries,
): HomeCounts {
  if (summary.ok) return summary.data;
  return {
    predictions: null,
    deliveries: { ...countedIn("failed", retrying), ...countedIn("dead-letter", deadLetters) },
  };
}

/** Skips deliveries that somebody retried by hand: the retry counts instead. */
function countedIn(status: "failed" | "dead-letter", list: Deliveries): Record<string, Counted> {
  if (!list.ok) return {};
  const count = list.data.data.filter(({ retried_as }) => retried_as === null).length;
  return { [status]: { count, more: list.data.has_more } };
}
