import type { OperatorProviderList, ProviderPreset } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { ProviderMark } from "@/components/operator/marks";
import { ProviderForm } from "@/components/operator/providers/provider-form";
import { regionsFor } from "@/components/operator/providers/provider-values";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { newProviderHref, runsText } from "@/lib/operator/provider-labels";
import "server-only";
import type { CatalogModel } from "#contract/catalog.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { presetName, serverApi } from "@/lib/operator/provider-presets";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import type { Key } from "@/messages/words";

interface NewProviderRead {
  presets: ProviderPreset[];
  providers: OperatorProviderList;
  models: CatalogModel[];
}

interface NewProviderProps {
  /** The chosen preset. */
  preset: ProviderPreset | undefined;
  read: NewProviderRead;
  /** True within the first steps, which continue to a first run. */
  guided?: boolean;
}

const places: Record<ProviderPreset["place"], Key<"providers">> = {
  cloud: "withAKey",
  local: "ownMachine",
  other: "otherProviders",
};

/** First choose a provider, then enter its key. */
export function NewProvider({ preset, read, guided = false }: NewProviderProps) {
  const { presets, providers, models } = read;
  if (!preset) return <PresetPicker presets={presets} guided={guided} />;
  return (
    <ProviderForm
      key={preset.id}
      preset={preset}
      homeRegion={providers.home_region}
      neededRegions={regionsFor(preset.runs, models, providers.home_region)}
      takenNames={providers.data.map(({ name }) => name)}
      guided={guided}
    />
  );
}

/** The providers that can be connected, grouped by where they run. */
function PresetPicker({ presets, guided }: { presets: readonly ProviderPreset[]; guided?: boolean }) {
  const t = useWords("providers");
  const shared = useWords("operator");
  const names = useWords("providerPresets");
  return Object.entries(places).map(([place, title]) => (
    <Section key={place} title={t.text(title)}>
      <ul className="grid gap-2 tablet:grid-cols-2 desktop:grid-cols-3">
        {presets
          .filter((preset) => preset.place === place)
          .map((preset) => (
            <li
              key={preset.id}
              className="relative flex gap-3 rounded-panel border bg-panel p-3 hover:bg-sunken"
            >
              <ProviderMark name={preset.name} preset={preset.id} />
              <div className="min-w-0">
                <Link
                  href={`${newProviderHref(guided)}?preset=${encodeURIComponent(preset.id)}`}
                  translate={serverApi(names, preset) === null ? "no" : undefined}
                  className="font-medium after:absolute after:inset-0 after:rounded-panel"
                >
                  {presetName(names, preset)}
                </Link>
                <p className="text-meta text-muted">{runsText(shared, preset.runs)}</p>
              </div>
            </li>
          ))}
      </ul>
    </Section>
  ));
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
