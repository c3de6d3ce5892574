import "server-only";
import type {
  RouteMapAll,
  RouteMapAllResult,
  RoutePreview,
  RoutePreviewRequest,
  RouteTable,
  RouteTableUpdate,
} from "#contract/operator-routes.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

export function getRoutes(): Promise<GatewayResult<RouteTable>> {
  return requestGateway("/operator/routes");
}

export function putRoutes(body: RouteTableUpdate): Promise<GatewayResult<RouteTable>> {
  return requestGateway("/operator/routes", { method: "PUT", body });
}

/** One route for every model that has the operation. */
export function mapAll(body: RouteMapAll): Promise<GatewayResult<RouteMapAllResult>> {
  return requestGateway("/operator/routes/map", { method: "POST", body });
}

/** What a route would send; nothing is sent. */
export function previewRoute(body: RoutePreviewRequest): Promise<GatewayResult<RoutePreview>> {
  return requestGateway("/operator/routes/preview", { method: "POST", body });
}
