import type { Metadata } from "next";
import { PresetPicker } from "@/components/operator/providers/preset-picker";
import { ProviderForm } from "@/components/operator/providers/provider-form";
import { regionsFor } from "@/components/operator/providers/provider-values";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/models";
import { requestRoute } from "@/lib/server/gateway/request";
import { loadNewProviderSearch } from "./search-params.ts";

export async function generateMetadata({ searchParams }: RouteProps): Promise<Metadata> {
  const { preset } = await loadNewProviderSearch(searchParams);
  return { title: preset ? `Add a provider: ${preset}` : "Add a provider" };
}

/** First what is connected, then its key. */
export default async function NewProviderPage({ searchParams }: RouteProps) {
  const [{ preset: wanted }, presets, providers, models] = await Promise.all([
    loadNewProviderSearch(searchParams),
    requestRoute("GET /operator/provider_presets"),
    requestRoute("GET /operator/providers"),
    getModels(),
  ]);
  const failed = !presets.ok ? presets.error : !providers.ok ? providers.error : null;
  if (failed || !presets.ok || !providers.ok)
    return (
      <>
        <PageHeader title="Add a provider" />
        {failed && <LoadFailure error={failed} />}
      </>
    );
  const preset = presets.data.data.find(({ id }) => id === wanted);
  if (!preset)
    return (
      <>
        <PageHeader
          title="Add a provider"
          description="Choose the provider that you have a key for, or a server of your own. You can change the address in the next step."
        />
        <PresetPicker presets={presets.data.data} />
      </>
    );
  return (
    <>
      <PageHeader
        title={preset.place === "other" ? preset.name.replace(/^Another/, "Add a") : `Add ${preset.name}`}
        description={preset.note ?? "The key is tested when you save it. A test never runs a model."}
        actions={<LinkButton href="/operator/providers/new">Pick another</LinkButton>}
      />
      <ProviderForm
        key={preset.id}
        preset={preset}
        homeRegion={providers.data.home_region}
        neededRegions={regionsFor(preset.runs, models.ok ? models.data.data : [], providers.data.home_region)}
        takenNames={providers.data.data.map(({ name }) => name)}
      />
    </>
  );
}
