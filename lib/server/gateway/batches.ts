import "server-only";
import type { Batch, BatchQuery, BatchRetry, BatchRowList, BatchRowQuery } from "#contract/batches.ts";
import type { List } from "#contract/list.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";
import type { Filter } from "./send.ts";

export function listBatches(query: Filter<BatchQuery> = {}): Promise<GatewayResult<List<Batch>>> {
  return requestRoute("GET /batches", { query });
}

export function getBatch(id: string): Promise<GatewayResult<Batch>> {
  return requestRoute("GET /batches/{id}", { params: { id } });
}

export function listBatchRows(
  id: string,
  query: Filter<BatchRowQuery>,
): Promise<GatewayResult<BatchRowList>> {
  return requestRoute("GET /batches/{id}/rows", { params: { id }, query });
}

export function actOnBatch(id: string, act: "pause" | "resume" | "stop"): Promise<GatewayResult<Batch>> {
  return requestRoute(`POST /batches/{id}/${act}`, { params: { id } });
}

export function retryFailedRows(id: string, body: BatchRetry): Promise<GatewayResult<Batch>> {
  return requestRoute("POST /batches/{id}/retry_failed", { params: { id }, body });
}
