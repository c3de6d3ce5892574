import "server-only";
import type {
  LocalServer,
  OperatorProvider,
  OperatorProviderList,
  ProviderCreate,
  ProviderDeleted,
  ProviderPreset,
  ProviderTest,
  ProviderUpdate,
} from "#contract/operator-providers.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

/** A provider that does not answer is waited for region by region. */
const testMs = 60_000;

const provider = (id: string) => `/operator/providers/${encodeURIComponent(id)}`;

export function listProviders(): Promise<GatewayResult<OperatorProviderList>> {
  return requestGateway("/operator/providers");
}

export function getProvider(id: string): Promise<GatewayResult<OperatorProvider>> {
  return requestGateway(provider(id));
}

/** Keys go in and never come out: no answer has one. */
export function createProvider(body: ProviderCreate): Promise<GatewayResult<OperatorProvider>> {
  return requestGateway("/operator/providers", { method: "POST", body });
}

export function updateProvider(id: string, body: ProviderUpdate): Promise<GatewayResult<OperatorProvider>> {
  return requestGateway(provider(id), { method: "PATCH", body });
}

export function deleteProvider(id: string): Promise<GatewayResult<ProviderDeleted>> {
  return requestGateway(provider(id), { method: "DELETE" });
}

/** Asks the provider something that costs nothing. */
export function testProvider(id: string): Promise<GatewayResult<ProviderTest>> {
  return requestGateway(`${provider(id)}/test`, { method: "POST", timeoutMs: testMs });
}

export function listPresets(): Promise<GatewayResult<{ data: ProviderPreset[] }>> {
  return requestGateway("/operator/provider_presets");
}

/** Model servers that answer on the usual ports of the gateway's machine. */
export function findLocalServers(): Promise<GatewayResult<{ data: LocalServer[] }>> {
  return requestGateway("/operator/local_servers");
}
