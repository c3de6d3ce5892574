import type { Metadata } from "next";
import { createLoader, parseAsString } from "nuqs/server";
import { BatchFailure } from "@/components/batches/batch-state";
import { NewBatch } from "@/components/batches/new-batch";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { batchOperations } from "@/lib/batches/draft";
import type { RouteProps } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";

export const metadata: Metadata = { title: "New batch" };

const loadSearch = createLoader({ model: parseAsString, api_type: parseAsString });

export default async function NewBatchPage({ searchParams }: RouteProps) {
  const [session, { model, api_type: apiType }, models, batches] = await Promise.all([
    requireSession(),
    loadSearch(searchParams),
    getModels(),
    requestRoute("GET /batches", { query: { limit: 1, shape: "gatehouse" } }),
  ]);
  const operations = models.ok ? batchOperations(models.data.data) : [];
  const wanted = operations.find((each) => each.model === model && (!apiType || each.apiType === apiType));
  const [first] = operations;
  return (
    <>
      <PageHeader title="New batch" description="Rows are checked first, and run within your usual limits." />
      {!models.ok ? (
        <LoadFailure error={models.error} />
      ) : !batches.ok && batches.error.code === "route_not_found" ? (
        <BatchFailure error={batches.error} />
      ) : first ? (
        <NewBatch operations={operations} initial={wanted ?? first} accountId={session.accountId} />
      ) : (
        <EmptyState
          title="No operation can run in a batch"
          body="The catalog has no operation that can run in a batch."
        />
      )}
    </>
  );
}
