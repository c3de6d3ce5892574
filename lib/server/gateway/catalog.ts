import "server-only";
import type { CatalogList, CatalogModel, RegionList } from "#contract/catalog.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";
import type { Query } from "./send.ts";

/** The catalog; `filter` takes `api_type`, `modality`, `region` and `q`. */
export function listModels(filter?: Query): Promise<GatewayResult<CatalogList>> {
  return requestRoute("GET /models", { query: filter });
}

/** One entry by its id, e.g. `svc/chat-1`. */
export function getModel(id: string): Promise<GatewayResult<CatalogModel>> {
  const [namespace = "", name = ""] = id.split("/");
  return requestRoute("GET /models/{namespace}/{name}", { params: { namespace, name } });
}

export function listRegions(): Promise<GatewayResult<RegionList>> {
  return requestRoute("GET /regions");
}
