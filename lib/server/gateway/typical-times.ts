import "server-only";
import { requestRoute } from "./request.ts";

/** With fewer runs a time is not typical. */
const minRuns = 3;

/**
 * The median time of each model's successful runs in this account in the last 30 days, in milliseconds. Models with
 * too few runs are missing, as are all if the person may not read the account's requests.
 */
export async function typicalTimes(): Promise<ReadonlyMap<string, number>> {
  const figures = await requestRoute("GET /activity", { query: { group_by: "model", step: "day" } });
  if (!figures.ok) return new Map();
  return new Map(
    figures.data.groups.flatMap(({ group, runs, errors, latency_ms: { p50 } }) =>
      group !== null && p50 !== null && runs - errors >= minRuns ? [[group, p50] as const] : [],
    ),
  );
}
