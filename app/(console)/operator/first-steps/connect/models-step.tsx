import type { ApiType } from "#contract/catalog-constants.ts";
import { FirstModels } from "@/components/operator/first-steps/first-models";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { requestRoute } from "@/lib/server/gateway/request";
import { readMapping } from "../../routes/read-mapping.ts";
import { servedBy } from "./served-by.ts";

interface ModelsStepProps {
  providerId: string;
  testNow: boolean;
}

/** The provider's own models where it describes them, else those of the catalog that it could run. */
export async function ModelsStep({ providerId, testNow }: ModelsStepProps) {
  const [provider, presets, mapping] = await Promise.all([
    requestRoute("GET /operator/providers/{id}", { params: { id: providerId } }),
    requestRoute("GET /operator/provider_presets"),
    readMapping(),
  ]);
  if (!provider.ok) return <LoadFailure error={provider.error} />;
  if (!mapping.ok) return <LoadFailure error={mapping.error} />;
  const { table, models } = mapping.data;
  const regions = provider.data.credentials.map(({ region }) => region);
  const preset = presets.ok ? presets.data.data.find(({ id }) => id === provider.data.preset) : null;
  // A provider that was added by hand has no preset: then any kind may be right.
  const kinds = new Set<string>(preset?.runs ?? models.flatMap(({ api_types }) => api_types));
  return (
    <FirstModels
      key={provider.data.id}
      provider={provider.data}
      testNow={testNow}
      revision={table.revision}
      chosen={servedBy(provider.data.name, table).length}
      candidates={models
        .filter(({ id }) => id.startsWith("svc/"))
        .flatMap(({ id, api_types, available_regions }) => {
          const shared = available_regions.filter((region) => regions.includes(region));
          const runs = api_types.filter((type): type is ApiType => kinds.has(type));
          return shared.length > 0 && runs.length > 0 ? [{ id, apiTypes: runs, regions: shared }] : [];
        })}
    />
  );
}
