import type { Delivery } from "#contract/webhook.ts";
import { RowControls, RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { Countdown, Time } from "@/components/ui/time";
import { AnswerChip } from "@/components/webhooks/deliveries/answer-chip";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import { RetryButton } from "@/components/webhooks/deliveries/retry-button";
import { shortenId } from "@/lib/format";
import { deliveryLook, isDeliveryLive } from "@/lib/status/delivery";
import { idHref } from "./id-href.ts";

interface DeliveriesPanelProps {
  deliveries: Delivery[];
  onQueued: () => void;
}

/** Deliveries of the prediction's event with their status and a retry button. */
export function DeliveriesPanel({ deliveries, onQueued }: DeliveriesPanelProps) {
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
        <EndpointAddress url={delivery.url} description={delivery.endpoint_description} />
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
