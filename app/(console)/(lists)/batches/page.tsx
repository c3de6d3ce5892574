import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { BatchList } from "@/components/batches/batch-list";
import { BatchFailure } from "@/components/batches/batch-state";
import { Permitted } from "@/components/team/permitted";
import { LinkButton } from "@/components/ui/button";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { PageHeader } from "@/components/ui/page/page-header";
import { batchList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { inAccount } from "@/lib/paths";
import { requestRoute } from "@/lib/server/gateway/request";
import { addressedAccount, requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "Batches" };

export default async function BatchesPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  // Until release 0.3.0, one list showed batches and comparisons, so bookmarks may still contain `kind`.
  const { kind, ...others } = search;
  if (kind !== undefined) {
    const list = kind === "comparison" ? "/compare/earlier" : "/batches";
    const rest = new URLSearchParams(others as Record<string, string>);
    redirect(inAccount(await addressedAccount(), rest.size > 0 ? `${list}?${rest}` : list));
  }
  const query = batchList.queryOf(batchList.viewOf(search), Date.now());
  const batches = await requestRoute("GET /batches", { query });
  return (
    <>
      <IgnoredFilters given={search} known={batchList.empty} />
      <PageHeader
        title="Batches"
        description="One operation over many inputs, run in the background."
        actions={
          <Permitted to="operations:run">
            <LinkButton href="/batches/new" variant="primary" icon={<Plus size={16} aria-hidden />}>
              New batch
            </LinkButton>
          </Permitted>
        }
      />
      {batches.ok ? (
        <BatchList kind="table" initial={{ query, list: batches.data }} />
      ) : (
        <BatchFailure error={batches.error} />
      )}
    </>
  );
}
