import "server-only";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import type { Upload, UploadCreate } from "#contract/upload.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";
import type { Filter } from "./send.ts";

const one = (id: string) => `/uploads/${encodeURIComponent(id)}`;

export function listUploads(
  query: Filter<PageQuery & { status: string }> = {},
): Promise<GatewayResult<List<Upload>>> {
  return requestGateway("/uploads", { query });
}

export function getUpload(id: string): Promise<GatewayResult<Upload>> {
  return requestGateway(one(id));
}

export function createUpload(body: UploadCreate): Promise<GatewayResult<Upload>> {
  return requestGateway("/uploads", { method: "POST", body });
}

export function verifyUpload(id: string): Promise<GatewayResult<Upload>> {
  return requestGateway(`${one(id)}/verify`, { method: "POST" });
}

export function deleteUpload(id: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(one(id), { method: "DELETE" });
}
