import type { ProviderPreset } from "#contract/operator/providers.ts";
import { PresetPicker } from "@/components/operator/providers/preset-picker";
import { ProviderForm } from "@/components/operator/providers/provider-form";
import { regionsFor } from "@/components/operator/providers/provider-values";
import type { NewProviderRead } from "./read-new-provider.ts";

interface NewProviderProps {
  /** The preset that was picked. */
  preset: ProviderPreset | undefined;
  read: NewProviderRead;
  /** True within the first steps, which lead to a first run. */
  guided?: boolean;
}

/** First pick what to connect, then enter its key. */
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
