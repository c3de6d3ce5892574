import "server-only";
import type { Batch, BatchQuery, BatchRowList, BatchRowQuery } from "#contract/batches.ts";
import type { List } from "#contract/list.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";
import type { Filter } from "./send.ts";

const batch = (id: string) => `/batches/${encodeURIComponent(id)}`;

export function listBatches(query: Filter<BatchQuery> = {}): Promise<GatewayResult<List<Batch>>> {
  return requestGateway("/batches", { query });
}

export function getBatch(id: string): Promise<GatewayResult<Batch>> {
  return requestGateway(batch(id));
}

export function listBatchRows(
  id: string,
  query: Filter<BatchRowQuery>,
): Promise<GatewayResult<BatchRowList>> {
  return requestGateway(`${batch(id)}/rows`, { query });
}

export function actOnBatch(
  id: string,
  act: "pause" | "resume" | "stop" | "retry_failed",
  body: unknown = {},
): Promise<GatewayResult<Batch>> {
  return requestGateway(`${batch(id)}/${act}`, { method: "POST", body });
}
