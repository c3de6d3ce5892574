import "server-only";
import type { ProviderTest } from "#contract/operator/providers.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";

/** A provider that does not answer is waited for region by region. */
const testMs = 60_000;

/** Sends the provider a request that costs nothing. */
export function testProvider(id: string): Promise<GatewayResult<ProviderTest>> {
  return requestRoute("POST /operator/providers/{id}/test", { params: { id }, timeoutMs: testMs });
}
