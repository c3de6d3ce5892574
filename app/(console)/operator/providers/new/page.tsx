import { createLoader, parseAsString } from "nuqs/server";
import { page } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { NewProvider, readNewProvider } from "./new-provider.tsx";

export async function generateMetadata({ searchParams }: RouteProps) {
  const { preset } = await loadNewProviderSearch(searchParams);
  return { title: preset ? `Add a provider: ${preset}` : "Add a provider" };
}

export default page({ title: "addProvider" }, async ({ search, need }) => {
  const { preset: wanted } = loadNewProviderSearch(search);
  const read = await need(readNewProvider());
  const preset = read.presets.find(({ id }) => id === wanted);
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
      <NewProvider preset={preset} read={read} />
    </>
  );
});

/** The preset of the form. Null: none is chosen yet. */
const loadNewProviderSearch = createLoader({ preset: parseAsString });
