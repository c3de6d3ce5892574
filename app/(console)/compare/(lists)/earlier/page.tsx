import { Columns2 } from "lucide-react";
import type { Metadata } from "next";
import { BatchList } from "@/components/batches/batch-list";
import { BatchFailure } from "@/components/batches/batch-state";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { PageHeader } from "@/components/ui/page/page-header";
import { comparisonList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Earlier comparisons" };

export default async function EarlierComparisonsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = comparisonList.queryOf(comparisonList.viewOf(search), Date.now());
  const comparisons = await requestRoute("GET /batches", { query });
  return (
    <>
      <IgnoredFilters given={search} known={comparisonList.empty} />
      <PageHeader
        title="Earlier comparisons"
        description="One input on several models, side by side."
        actions={
          <Permitted to="operations:run">
            <LinkButton href="/compare" variant="primary" icon={<Columns2 size={16} aria-hidden />}>
              Compare models
            </LinkButton>
          </Permitted>
        }
      />
      {comparisons.ok ? (
        <BatchList kind="comparison" initial={{ query, list: comparisons.data }} />
      ) : (
        <BatchFailure error={comparisons.error} />
      )}
    </>
  );
}
