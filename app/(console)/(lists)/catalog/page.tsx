import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { ModelCover } from "@/components/catalog/model-cover";
import { type CatalogCard, type CatalogRow, rowOf } from "@/components/catalog/row";
import { catalogSearchParams } from "@/components/catalog/search-params";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Time } from "@/components/ui/time";
import type { RouteProps } from "@/lib/page-props";
import { showsMedia } from "@/lib/server/content-policy";
import { getModels } from "@/lib/server/gateway/reads";
import { CatalogClient } from "./client.tsx";

export const metadata: Metadata = { title: "Catalog" };

export default async function CatalogPage({ searchParams }: RouteProps) {
  const models = await getModels();
  if (!models.ok)
    return (
      <>
        <PageHeader title="Catalog" description="All models on this gateway." />
        <LoadFailure error={models.error} />
      </>
    );
  const { data, registry } = models.data;
  return (
    <NuqsAdapter>
      <IgnoredFilters given={await searchParams} known={catalogSearchParams} />
      <CatalogClient rows={data.map((model) => cardOf(rowOf(model, showsMedia)))} />
      <p className="mt-6 text-meta text-muted">
        Registry revision <code>{registry.revision}</code>, published <Time value={registry.published_at} />.
      </p>
    </NuqsAdapter>
  );
}

function cardOf(row: CatalogRow): CatalogCard {
  const { id, modality, apiTypes, coverUrl: url } = row;
  return {
    ...row,
    cover: <ModelCover {...{ id, modality, apiTypes, url }} className="aspect-2/1! border-b" />,
  };
}
