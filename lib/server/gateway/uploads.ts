import "server-only";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import type { Upload } from "#contract/upload.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";
import type { Filter } from "./send.ts";

export function listUploads(
  query: Filter<PageQuery & { status: string }> = {},
): Promise<GatewayResult<List<Upload>>> {
  return requestRoute("GET /uploads", { query });
}

export function deleteUpload(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /uploads/{id}", { params: { id } });
}
