import type { Metadata } from "next";
import { BatchFailure } from "@/components/batches/batch-failure";
import { CompareModels } from "@/components/compare/compare-models";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { candidatesOf } from "@/lib/compare/candidates";
import type { RouteProps } from "@/lib/page-props";
import { env } from "@/lib/server/env";
import { getModels } from "@/lib/server/gateway/models";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { readStart } from "./read-start.ts";
import { loadCompareSearchParams } from "./search-params.ts";

export const metadata: Metadata = { title: "Try models side by side" };

export default async function ComparePage({ searchParams }: RouteProps) {
  const [session, search, models, batches] = await Promise.all([
    requireSession(),
    loadCompareSearchParams(searchParams),
    getModels(),
    requestRoute("GET /batches", { query: { limit: 1 } }),
  ]);
  const candidates = models.ok ? candidatesOf(models.data.data) : [];
  return (
    <>
      <PageHeader
        title="Try models side by side"
        description="Run one input on up to eight models. It runs in the background as a batch, and its page shows the results side by side."
      />
      {!models.ok ? (
        <LoadFailure error={models.error} />
      ) : !batches.ok && batches.error.code === "route_not_found" ? (
        <BatchFailure error={batches.error} />
      ) : (
        <CompareModels
          key={JSON.stringify(search)}
          accountId={session.accountId}
          baseUrl={`${env.mediaOrigin}/v1`}
          candidates={candidates}
          start={await readStart(candidates, search)}
        />
      )}
    </>
  );
}
