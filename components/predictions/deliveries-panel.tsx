import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import type { Delivery } from "#contract/webhook.ts";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { StatusPill } from "@/components/ui/status-pill";
import { Countdown, Time } from "@/components/ui/time";
import { AnswerChip } from "@/components/webhooks/deliveries/answer-chip";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import { shortenId } from "@/lib/format";
import { deliveryLook, isDeliveryLive } from "@/lib/status/delivery";
import { idHref } from "./id-href.ts";

/** Where the prediction's event was sent and how that went. */
export function DeliveriesPanel({
  prediction,
  deliveries,
}: {
  prediction: Prediction;
  deliveries: Delivery[];
}) {
  if (deliveries.length === 0) {
    return isTerminal(prediction.status) ? (
      <EmptyState
        drawing="signal"
        title="No deliveries"
        body="No enabled endpoint was subscribed to this event when the prediction finished."
        action={<LinkButton href="/webhooks/endpoints">Open endpoints</LinkButton>}
      />
    ) : (
      <EmptyState
        drawing="signal"
        title="No deliveries yet"
        body="The event is sent to every subscribed endpoint when the prediction finishes."
      />
    );
  }
  return (
    <Table label="Deliveries of this prediction's event">
      <thead>
        <tr>
          <Th>Delivery</Th>
          <Th>Status</Th>
          <Th>Endpoint</Th>
          <Th numeric>Attempts</Th>
          <Th>Last response</Th>
          <Th>Next attempt</Th>
          <Th>Created</Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
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
      <Td className="max-w-56 min-w-36">
        <EndpointAddress url={delivery.url} description={delivery.endpoint_description} />
      </Td>
      <Td numeric>
        {delivery.attempts} of {delivery.max_attempts}
      </Td>
      <Td>
        <AnswerChip status={delivery.last_status_code} error={delivery.last_error} />
      </Td>
      <Td>
        {isDeliveryLive(delivery) && delivery.next_attempt_at ? (
          <>
            in <Countdown until={delivery.next_attempt_at} />
          </>
        ) : (
          "–"
        )}
      </Td>
      <Td>
        <Time value={delivery.created_at} />
      </Td>
    </Tr>
  );
}
