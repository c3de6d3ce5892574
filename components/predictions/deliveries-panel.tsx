import type { Counted } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Delivery } from "#contract/webhook.ts";
import { StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Countdown, Time } from "@/components/ui/time";
import { AnswerChip } from "@/components/webhooks/deliveries/answer-chip";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import { RetryButton } from "@/components/webhooks/deliveries/retry-button";
import { formatCount, formatNumber } from "@/lib/format";
import { idHref } from "@/lib/resources";
import { deliveryLook, isDeliveryLive } from "@/lib/status/delivery";
import { callbackLabel } from "@/lib/webhooks/addresses";
import type { PredictionDeliveries } from "@/lib/webhooks/delivery-story";

interface DeliveriesPanelProps {
  prediction: Pick<Prediction, "id" | "status">;
  deliveries: PredictionDeliveries;
  onQueued: () => void;
}

/** The endpoints that got the prediction's event, the results, and the button that sends it again. */
export function DeliveriesPanel({ prediction, deliveries, onQueued }: DeliveriesPanelProps) {
  const { newest, total } = deliveries;
  if (newest.length === 0)
    return (
      <Section title="Deliveries" className="mt-6">
        <p className="text-muted">
          No event was sent, because no endpoint was subscribed to <code>prediction.{prediction.status}</code>{" "}
          for this run.{" "}
          <Link href="/webhooks/endpoints" className="text-accent underline underline-offset-2">
            Endpoints
          </Link>
        </p>
      </Section>
    );
  const isPart = total !== null && total.count > newest.length;
  return (
    <Section
      title="Deliveries"
      className="mt-6"
      description={
        total === null
          ? undefined
          : `${countedWords(total)}${isPart ? `; the newest ${newest.length} are shown` : ""}`
      }
      actions={
        <LinkButton size="sm" variant="ghost" href={`/webhooks/deliveries?prediction_id=${prediction.id}`}>
          {isPart ? `All ${countedWords(total)}` : "Open in the log"}
        </LinkButton>
      }
    >
      <ul
        aria-label="Deliveries of this prediction's event"
        className="divide-y divide-line overflow-hidden rounded-panel border bg-panel"
      >
        {newest.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onQueued={onQueued} />
        ))}
      </ul>
    </Section>
  );
}

function countedWords({ count, more }: Counted): string {
  if (!more) return formatCount(count, "delivery", "deliveries");
  return `${formatNumber(count)}+ deliveries`;
}

function DeliveryRow({ delivery, onQueued }: { delivery: Delivery; onQueued: () => void }) {
  const { id, url, attempts, max_attempts: max, next_attempt_at: nextAt } = delivery;
  const look = deliveryLook(delivery.status);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-table">
      <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
      <div className="min-w-0 flex-1 basis-36">
        <EndpointAddress
          url={url}
          description={delivery.callback ? callbackLabel : delivery.endpoint_description}
          href={idHref(id) ?? undefined}
        />
      </div>
      <RetryButton delivery={delivery} size="sm" onQueued={onQueued} />
      <p className="tabular flex basis-full flex-wrap items-center gap-x-2 text-meta text-muted">
        <AnswerChip status={delivery.last_status_code} error={delivery.last_error} />
        <span>
          {attempts} of {max} attempts
        </span>
        {isDeliveryLive(delivery) && nextAt && (
          <span>
            next in <Countdown until={nextAt} />
          </span>
        )}
        <Time value={delivery.created_at} />
      </p>
    </li>
  );
}
