import type { Metadata } from "next";
import { createLoader, parseAsArrayOf, parseAsString, type SearchParams } from "nuqs/server";
import { compareRows } from "@/components/catalog/compare-rows";
import { CompareTable } from "@/components/catalog/compare-table";
import { maxCompared } from "@/components/catalog/row";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { getModels } from "@/lib/server/gateway/reads";

/** The models to compare, from an address such as `/catalog/compare?ids=svc/…,svc/…`. */
const loadSearch = createLoader({ ids: parseAsArrayOf(parseAsString).withDefault([]) });

export const metadata: Metadata = { title: "Compare models" };

export default async function ComparePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ ids }, result] = await Promise.all([loadSearch(searchParams), getModels()]);
  if (!result.ok) return <LoadFailure error={result.error} />;
  const models = ids
    .slice(0, maxCompared)
    .flatMap((id) => result.data.data.find((model) => model.id === id) ?? []);
  return (
    <>
      <PageHeader
        title="Compare models"
        description="Differences between models in their schemas and limits."
        actions={
          models.length > 1 && (
            <LinkButton href={`/compare?models=${models.map(({ id }) => id).join(",")}`}>
              Try these models on one input
            </LinkButton>
          )
        }
      />
      {models.length < 2 ? (
        <EmptyState
          title="Choose at least two models"
          body={`Select up to ${maxCompared} models in the catalog, then choose Compare.`}
          action={<LinkButton href="/catalog">Open the catalog</LinkButton>}
        />
      ) : (
        <CompareTable ids={models.map((model) => model.id)} rows={compareRows(models)} />
      )}
    </>
  );
}
