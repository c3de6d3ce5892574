import "server-only";
import type { CatalogModel } from "#contract/catalog.ts";
import type { OperatorProviderList, ProviderPreset } from "#contract/operator/providers.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";

export interface NewProviderRead {
  presets: ProviderPreset[];
  providers: OperatorProviderList;
  models: CatalogModel[];
}

/**
 * Reads the providers that can be connected, the providers that are already connected, and the regions that
 * models need.
 */
export async function readNewProvider(): Promise<GatewayResult<NewProviderRead>> {
  const [presets, providers, models] = await Promise.all([
    requestRoute("GET /operator/provider_presets"),
    requestRoute("GET /operator/providers"),
    getModels(),
  ]);
  if (!presets.ok) return presets;
  if (!providers.ok) return providers;
  return {
    ok: true,
    data: {
      presets: presets.data.data,
      providers: providers.data,
      models: models.ok ? models.data.data : [],
    },
  };
}
