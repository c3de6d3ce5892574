import "server-only";
import type { GatewayResult } from "../../gateway/result.ts";
import type { OpenApiDocument } from "../../reference/document.ts";
import { requestGateway } from "./request.ts";

/** The gateway's own OpenAPI document. */
export function getOpenApi(): Promise<GatewayResult<OpenApiDocument>> {
  return requestGateway("/openapi.json");
}
