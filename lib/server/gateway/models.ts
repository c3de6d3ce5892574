import "server-only";
import type { CatalogList } from "#contract/catalog.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestRoute } from "./request.ts";

/** The entries of the catalog, without aliases. */
export function getModels(): Promise<GatewayResult<CatalogList>> {
  return requestRoute("GET /models", { query: { aliases: false } });
}
