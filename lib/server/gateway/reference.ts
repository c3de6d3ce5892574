import "server-only";
import type { OpenApiDocument } from "@/lib/reference/document";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

/** The gateway's own OpenAPI document. */
export function getOpenApi(): Promise<GatewayResult<OpenApiDocument>> {
  return requestGateway("/openapi.json");
}
