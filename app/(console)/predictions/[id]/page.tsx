import { cache } from "react";
import { isTerminal } from "#contract/prediction-constants.ts";
import { page } from "@/app/console-page";
import { PredictionDetail } from "@/components/predictions/prediction-detail";
import { predictionTitle } from "@/components/predictions/prediction-status";
import type { RouteProps } from "@/lib/page-props";
import { predictionList } from "@/lib/prediction-lists";
import { inputTitle } from "@/lib/schema-form/messages";
import { serverStoryReads } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";
import { loadPredictionDeliveries } from "@/lib/webhooks/delivery-story";

/** Cached, so that the title and the page share one request. */
const readPrediction = cache((id: string) => requestRoute("GET /predictions/{id}", { params: { id } }));

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const prediction = await readPrediction((await params).id);
  const t = await words("predictions");
  return {
    title: prediction.ok
      ? predictionTitle(t, await words("states"), prediction.data)
      : t("predictionNotFound"),
  };
}

export default page<"id", "predictions">(
  {
    title: "prediction",
    parts: [
      "predictions",
      "webhooks",
      "states",
      "media",
      "provenance",
      "shares",
      "library",
      "destinations",
      "attestations",
      "amounts",
    ],
  },
  async ({ params: { id }, search, word, need }) => {
    const prediction = await need(readPrediction(id));
    // Deliveries are loaded together with the page, so that the timeline does not grow while somebody reads it.
    const deliveries = isTerminal(prediction.status)
      ? await loadPredictionDeliveries(serverStoryReads, id)
      : null;
    return (
      <PredictionDetail
        // A new id mounts a new page, so that no state of the previous prediction remains.
        key={id}
        initial={prediction}
        initialDeliveries={deliveries?.ok ? deliveries.data : null}
        initialNowMs={Date.now()}
        view={predictionList.viewOf(search)}
        inputTitle={prediction.input && inputTitle(prediction.input)}
        tab={word("tab")}
      />
    );
  },
);
