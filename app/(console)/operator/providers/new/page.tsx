import type { Metadata } from "next";
import { createLoader, parseAsString } from "nuqs/server";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { NewProvider, readNewProvider } from "./new-provider.tsx";

export async function generateMetadata({ searchParams }: RouteProps): Promise<Metadata> {
  const { preset } = await loadNewProviderSearch(searchParams);
  return { title: preset ? `Add a provider: ${preset}` : "Add a provider" };
}

export default async function NewProviderPage({ searchParams }: RouteProps) {
  const { preset: wanted } = await loadNewProviderSearch(searchParams);
  const read = await readNewProvider();
  if (!read.ok)
    return (
      <>
        <PageHeader title="Add a provider" />
        <LoadFailure error={read.error} />
      </>
    );
  const preset = read.data.presets.find(({ id }) => id === wanted);
  return (
    <>
      {preset ? (
        <PageHeader
          title={preset.place === "other" ? preset.name.replace(/^Another/, "Add a") : `Add ${preset.name}`}
          description={preset.note ?? "The key is tested when you save it."}
          actions={<LinkButton href="/operator/providers/new">Choose another</LinkButton>}
        />
      ) : (
        <PageHeader
          title="Add a provider"
          description="Choose a provider, or connect a server of your own."
        />
      )}
      <NewProvider preset={preset} read={read.data} />
    </>
  );
}

/** The preset of the form. Null: none is chosen yet. */
const loadNewProviderSearch = createLoader({ preset: parseAsString });
