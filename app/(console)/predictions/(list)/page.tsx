import type { Metadata } from "next";
import { gatewayQuery } from "@/components/predictions/filter";
import { LazyRememberedPredictions } from "@/components/predictions/list/lazy-remembered";
import { PredictionsList } from "@/components/predictions/list/predictions-list";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import type { RouteProps } from "@/lib/page-props";
import { listModels } from "@/lib/server/gateway/catalog";
import { listPredictions } from "@/lib/server/gateway/predictions";
import { requireSession } from "@/lib/server/session";
import { loadPredictionFilter } from "../search-params.ts";

export const metadata: Metadata = { title: "Predictions" };

export default async function PredictionsPage({ searchParams }: RouteProps) {
  await requireSession();
  const filter = await loadPredictionFilter(searchParams);
  const [predictions, models] = await Promise.all([
    listPredictions(gatewayQuery(filter, Date.now())),
    listModels(),
  ]);
  return (
    <>
      <PageHeader
        log
        title="Predictions"
        description="Asynchronous runs, from submission to the removal of their files."
      />
      {predictions.ok ? (
        <PredictionsList
          initial={predictions.data}
          initialFilter={filter}
          modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
        />
      ) : predictions.error.code === "route_not_found" ? (
        <LazyRememberedPredictions />
      ) : (
        <LoadFailure error={predictions.error} />
      )}
    </>
  );
}
