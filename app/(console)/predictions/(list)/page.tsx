import type { Metadata } from "next";
import { gatewayQuery, predictionFilterParsers } from "@/components/predictions/filter";
import { LazyRememberedPredictions } from "@/components/predictions/list/lazy-remembered";
import { PredictionsHeader } from "@/components/predictions/list/predictions-header";
import { PredictionsList } from "@/components/predictions/list/predictions-list";
import { IgnoredFilters } from "@/components/ui/ignored-filters";
import { LoadFailure } from "@/components/ui/load-failure";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { loadPredictionFilter } from "../search-params.ts";

export const metadata: Metadata = { title: "Predictions" };

export default async function PredictionsPage({ searchParams }: RouteProps) {
  await requireSession();
  const filter = await loadPredictionFilter(searchParams);
  const [predictions, models] = await Promise.all([
    requestRoute("GET /predictions", { query: gatewayQuery(filter, Date.now()) }),
    requestRoute("GET /models"),
  ]);
  if (predictions.ok)
    return (
      <>
        <IgnoredFilters given={await searchParams} known={predictionFilterParsers} />
        <PredictionsList
          initial={predictions.data}
          initialFilter={filter}
          modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
        />
      </>
    );
  return (
    <>
      <PredictionsHeader />
      {predictions.error.code === "route_not_found" ? (
        <LazyRememberedPredictions />
      ) : (
        <LoadFailure error={predictions.error} />
      )}
    </>
  );
}
