import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { PredictionDetail } from "@/components/predictions/prediction-detail";
import { predictionTitle } from "@/components/predictions/prediction-title";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import type { RouteProps } from "@/lib/page-props";
import { getPrediction } from "@/lib/server/gateway/predictions";
import { requireSession } from "@/lib/server/session";
import { loadPredictionFilter } from "../search-params.ts";

/** Asked once per request, for the title and for the page. */
const readPrediction = cache(getPrediction);

export async function generateMetadata({
  params,
}: Pick<RouteProps<{ id: string }>, "params">): Promise<Metadata> {
  const prediction = await readPrediction((await params).id);
  return { title: prediction.ok ? predictionTitle(prediction.data) : "Prediction not found" };
}

export default async function PredictionPage({ params, searchParams }: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await params;
  const [prediction, filter] = await Promise.all([readPrediction(id), loadPredictionFilter(searchParams)]);
  if (prediction.ok) {
    // A new id is a new page: nothing of the last one may stay in it.
    return <PredictionDetail key={id} initial={prediction.data} initialNowMs={Date.now()} filter={filter} />;
  }
  if (prediction.error.code === "prediction_not_found") notFound();
  return (
    <>
      <PageHeader title="Prediction" />
      <LoadFailure error={prediction.error} />
    </>
  );
}
