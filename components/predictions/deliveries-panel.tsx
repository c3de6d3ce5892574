import type { Counted } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Delivery } from "#contract/webhook.ts";
import { StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Countdown, Time } from "@/components/ui/time";
import { AnswerChip } from "@/components/webhooks/deliveries/answer-chip";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import { RetryButton } from "@/components/webhooks/deliveries/retry-button";
import { formatCount, formatNumber, shortenId } from "@/lib/format";
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
      <DeliveryRows deliveries={newest} onQueued={onQueued} />
    </Section>
  );
}

function countedWords({ count, more }: Counted): string {
  if (!more) return formatCount(count, "delivery", "deliveries");
  return `${formatNumber(count)}+ deliveries`;
}

function DeliveryRows({ deliveries, onQueued }: { deliveries: readonly Delivery[]; onQueued: () => void }) {
  return (
    <Table label="Deliveries of this prediction's event">
      <thead>
        <tr>
          <Th>Delivery</Th>
          <Th>Status</Th>
          <Th>Endpoint</Th>
          <Th numeric>Attempts</Th>
          <Th>Last response</Th>
          <Th from="desktop">Next attempt</Th>
          <Th>Created</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} onQueued={onQueued} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ delivery, onQueued }: { delivery: Delivery; onQueued: () => void }) {
  const look = deliveryLook(delivery.status);
  return (
    <Tr>
      <Td>
        <RowLink href={idHref(delivery.id) ?? "#"} className="font-mono text-meta" title={delivery.id}>
          {shortenId(delivery.id)}
        </RowLink>
      </Td>
      <Td>
        <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
      </Td>
      <Td className="max-w-56 min-w-36" label="Endpoint">
        <EndpointAddress
          url={delivery.url}
          description={delivery.callback ? callbackLabel : delivery.endpoint_description}
        />
      </Td>
      <Td numeric label="Attempts">
        {delivery.attempts} of {delivery.max_attempts}
      </Td>
      <Td label="Last response">
        <AnswerChip status={delivery.last_status_code} error={delivery.last_error} />
      </Td>
      <Td from="desktop" label="Next attempt">
        {isDeliveryLive(delivery) && delivery.next_attempt_at ? (
          <>
            in <Countdown until={delivery.next_attempt_at} />
          </>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      <Td label="Created">
        <Time value={delivery.created_at} />
      </Td>
      <Td className="text-right">
        <RowControls>
          <RetryButton delivery={delivery} size="sm" onQueued={onQueued} />
        </RowControls>
      </Td>
    </Tr>
  );
}
