import "server-only";
import type { Summary } from "#contract/summary.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

/** The counts of the last 24 hours. */
export function readSummary(): Promise<GatewayResult<Summary>> {
  return requestGateway("/summary");
}
