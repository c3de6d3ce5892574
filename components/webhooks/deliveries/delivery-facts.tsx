import type { Delivery } from "#contract/webhook.ts";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { FactList } from "./fact-list.tsx";

export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  return (
    <div className="mb-8">
      <FactList
        rows={[
          [
            "Event",
            <IdChip
              key="event"
              id={delivery.event_id}
              href={`/webhooks/deliveries?event_id=${delivery.event_id}`}
              whole
            />,
          ],
          delivery.prediction_id === null
            ? null
            : [
                "Prediction",
                <IdChip
                  key="prediction"
                  id={delivery.prediction_id}
                  href={`/predictions/${delivery.prediction_id}`}
                  whole
                />,
              ],
          [
            "Endpoint",
            <IdChip
              key="endpoint"
              id={delivery.endpoint_id}
              href={`/webhooks/endpoints/${delivery.endpoint_id}`}
              whole
            />,
          ],
          [
            "URL",
            <code key="url" className="text-meta">
              {delivery.url}
            </code>,
          ],
          ["Delivery", <IdChip key="delivery" id={delivery.id} whole />],
          ["Created", <Time key="created" value={delivery.created_at} mode="absolute" />],
          delivery.waits_for === "rate"
            ? ["Waits", <span key="waits">for the rate of its endpoint; this is no failure</span>]
            : null,
          delivery.delivered_at === null
            ? null
            : ["Accepted", <Time key="accepted" value={delivery.delivered_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
