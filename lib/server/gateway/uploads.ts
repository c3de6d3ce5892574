import "server-only";
import type { List, PageQuery } from "#contract/list.ts";
import type { Upload } from "#contract/upload.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";
import type { Filter } from "./send.ts";

export function listUploads(
  query: Filter<PageQuery & { status: string }> = {},
): Promise<GatewayResult<List<Upload>>> {
  return requestGateway("/uploads", { query });
}
