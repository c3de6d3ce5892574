"use client";

import { useQuery } from "@tanstack/react-query";
import type { Delivery } from "#contract/webhook.ts";
import { NotesSection } from "@/components/notes/notes-section";
import { IdChip } from "@/components/ui/id-chip";
import { Neighbours } from "@/components/ui/list/neighbours";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { FactList } from "@/components/webhooks/deliveries/fact-list";
import { RetryButton } from "@/components/webhooks/deliveries/retry-button";
import { SendTimeline } from "@/components/webhooks/deliveries/send-timeline";
import { failureBehind, orThrow } from "@/lib/browser/fetch-from-gateway";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { deliveryLook, isDeliveryLive } from "@/lib/status/delivery";
import { browserStoryReads } from "@/lib/webhooks/browser-reads";
import { type DeliveryStory, loadDeliveryStory } from "@/lib/webhooks/delivery-story";
import { type DeliveryView, deliveryList } from "@/lib/webhooks/delivery-view";

interface DeliveryClientProps {
  initial: DeliveryStory;
  /** The filter that the visitor came with. */
  view: DeliveryView;
}

const livePollMs = 2000;
/** Load notes for at most this many of the event's other deliveries, the newest first. */
const othersWithNotes = 5;
const asSubject = ({ id }: { id: string }) => ({ kind: "delivery", id }) as const;

/**
 * One delivery: its event, all deliveries of that event to this endpoint, and each attempt with the response.
 */
export function DeliveryClient({ initial, view }: DeliveryClientProps) {
  const { id } = initial.delivery;
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.delivery(id), "story"],
    queryFn: async ({ client, queryKey }) => {
      const known = client.getQueryData<DeliveryStory>(queryKey)?.sends;
      return orThrow(await loadDeliveryStory(browserStoryReads, id, known));
    },
    initialData: initial,
    refetchInterval: ({ state }) =>
      state.status === "error" || state.data?.sends.some(isDeliveryLive) ? livePollMs : false,
  });
  const { delivery, sends, hasLogs } = data;
  const failure = failureBehind(error);
  const look = deliveryLook(delivery.status);
  const isSuperseded = delivery.status === "failed" && delivery.retried_as !== null;
  return (
    <>
      <PageHeader
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            {delivery.event_type} <StatusPill {...look} title={look.meaning} />
          </span>
        }
        description={`${isSuperseded ? "Retried since. This delivery has no further attempts" : look.meaning}.`}
        actions={
          <>
            <Neighbours
              noun="delivery"
              list="/webhooks/deliveries"
              search={deliveryList.searchOf(view)}
              id={id}
              queryKey={queryKeys.deliveries}
              read={(side, signal) =>
                callRoute("GET /webhooks/deliveries", {
                  query: { ...deliveryList.filterOf(view, Date.now()), ...side },
                  signal,
                })
              }
            />
            <RetryButton
              delivery={delivery}
              size="md"
              variant={look.canRetry ? "primary" : "secondary"}
              follow
            />
          </>
        }
      />
      {failure && (
        <div className="mb-4">
          <ErrorPanel error={failure} onRetry={() => void refetch()} />
        </div>
      )}
      <DeliveryFacts delivery={delivery} />
      <NotesSection
        subject={{ kind: "delivery", id }}
        others={sends
          .filter((send) => send.id !== id)
          .slice(-othersWithNotes)
          .map(asSubject)}
      />
      <Section
        title="Retries and attempts"
        description="The first delivery of this event and every retry, with their attempts."
      >
        {!hasLogs && (
          <p className="mb-3 rounded-control border bg-sunken px-3 py-2 text-table text-muted">
            This gateway does not provide details of attempts, so requests, responses and timings cannot be
            shown.
          </p>
        )}
        <ol className="space-y-4">
          {sends.map((send, index) => (
            <SendTimeline
              key={send.id}
              send={send}
              isFirst={index === 0}
              isResend={sends.some((other) => other.id === send.retry_of && other.status === "delivered")}
              isShown={send.id === id}
            />
          ))}
        </ol>
      </Section>
    </>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
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
          delivery.callback
            ? null
            : [
                "Endpoint",
                <IdChip
                  key="endpoint"
                  id={delivery.endpoint_id}
                  href={`/webhooks/endpoints/${delivery.endpoint_id}`}
                  whole
                />,
              ],
          [
            delivery.callback ? "Address of the request" : "URL",
            <code key="url" className="text-meta">
              {delivery.url}
            </code>,
          ],
          ["Delivery", <IdChip key="delivery" id={delivery.id} whole />],
          ["Created", <Time key="created" value={delivery.created_at} mode="absolute" />],
          delivery.waits_for === "rate"
            ? ["Waits", <span key="waits">for the rate limit of its endpoint; this is not a failure</span>]
            : null,
          delivery.delivered_at === null
            ? null
            : ["Accepted", <Time key="accepted" value={delivery.delivered_at} mode="absolute" />],
        ]}
      />
    </div>
  );
}
