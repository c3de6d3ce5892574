import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { isTerminal } from "#contract/prediction-constants.ts";
import { PredictionDetail } from "@/components/predictions/prediction-detail";
import { predictionTitle } from "@/components/predictions/prediction-status";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { predictionList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { serverStoryReads } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { loadPredictionDeliveries } from "@/lib/webhooks/delivery-story";

/** Cached, so that the title and the page share one request. */
const readPrediction = cache((id: string) => requestRoute("GET /predictions/{id}", { params: { id } }));

export async function generateMetadata({
  params,
}: Pick<RouteProps<{ id: string }>, "params">): Promise<Metadata> {
  const prediction = await readPrediction((await params).id);
  return { title: prediction.ok ? predictionTitle(prediction.data) : "Prediction not found" };
}

export default async function PredictionPage({ params, searchParams }: RouteProps<{ id: string }>) {
  await requireSession();
  const { id } = await params;
  const [prediction, search] = await Promise.all([readPrediction(id), searchParams]);
  if (prediction.ok) {
    // Deliveries are loaded together with the page, so that the timeline does not grow while somebody reads
    // it.
    const deliveries = isTerminal(prediction.data.status)
      ? await loadPredictionDeliveries(serverStoryReads, id)
      : null;
    return (
      <PredictionDetail
        // A new id mounts a new page, so that no state of the previous prediction remains.
        key={id}
        initial={prediction.data}
        initialDeliveries={deliveries?.ok ? deliveries.data : null}
        initialNowMs={Date.now()}
        view={predictionList.viewOf(search)}
      />
    );
  }
  if (prediction.error.code === "prediction_not_found") notFound();
  return (
    <>
      <PageHeader title="Prediction" />
      <LoadFailure error={prediction.error} />
    </>
  );
}
