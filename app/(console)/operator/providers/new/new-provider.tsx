import type { ProviderPreset } from "#contract/operator/providers.ts";
import { PresetPicker } from "@/components/operator/providers/preset-picker";
import { ProviderForm } from "@/components/operator/providers/provider-form";
import { regionsFor } from "@/components/operator/providers/provider-values";
import type { NewProviderRead } from "./read-new-provider.ts";

interface NewProviderProps {
  /** What was picked. */
  preset: ProviderPreset | undefined;
  read: NewProviderRead;
  /** As the first of the steps that lead to a first run. */
  guided?: boolean;
}

/** First what is connected, then its key. */
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
