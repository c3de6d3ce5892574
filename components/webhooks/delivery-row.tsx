"use client";

import { CornerDownRight } from "lucide-react";
import type { Delivery } from "#contract/webhook.ts";
import { Checkbox } from "@/components/ui/checkbox";
import { IdChip } from "@/components/ui/id-chip";
import { StatusPill } from "@/components/ui/status-pill";
import { RowControls, RowLink, Td, Tr } from "@/components/ui/table";
import { Countdown, Time } from "@/components/ui/time";
import { deliveryLook, isDeliveryLive } from "@/lib/status/delivery";
import { AnswerChip } from "./answer-chip.tsx";
import { EndpointAddress } from "./endpoint-address.tsx";
import { RetryButton } from "./retry-button.tsx";

interface DeliveryRowProps {
  delivery: Delivery;
  search: string;
  /** Left out on the page of one endpoint. */
  showsEndpoint?: boolean;
  selected?: boolean;
  /** Without it the row cannot be selected. `range`: Shift was held. */
  onSelect?: (id: string, range: boolean) => void;
  onQueued?: (delivery: Delivery) => void;
}

const triggerWords: Record<string, string> = {
  manual: "manual retry",
  bulk: "bulk retry",
};

export function DeliveryRow({
  delivery,
  search,
  showsEndpoint = true,
  selected = false,
  onSelect,
  onQueued,
}: DeliveryRowProps) {
  const look = deliveryLook(delivery.status);
  return (
    <Tr aria-selected={onSelect ? selected : undefined}>
      {onSelect && (
        <Td>
          <RowControls>
            <Checkbox
              label={`Select ${delivery.event_type} ${delivery.id}`}
              hideLabel
              checked={selected}
              onChange={({ nativeEvent }) =>
                onSelect(delivery.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          </RowControls>
        </Td>
      )}
      <Td>
        <RowLink href={`/webhooks/deliveries/${delivery.id}${search}`} className="tablet:whitespace-nowrap">
          <EventName type={delivery.event_type} />
        </RowLink>
        <TriggerNote trigger={delivery.trigger} />
      </Td>
      <Td>
        <StatusPill {...look} title={look.meaning} />
        <span className="mt-0.5 block text-meta text-muted tablet:hidden">
          <Time value={delivery.created_at} />
        </span>
      </Td>
      <Td className="max-tablet:hidden">
        <AnswerChip status={delivery.last_status_code} error={delivery.last_error} />
      </Td>
      <Td className="whitespace-nowrap max-tablet:hidden">
        <span className="tabular">
          {delivery.attempts} of {delivery.max_attempts}
        </span>
        {isDeliveryLive(delivery) && delivery.next_attempt_at && (
          <span className="block text-meta text-muted">
            next: <Countdown until={delivery.next_attempt_at} ended="due" />
          </span>
        )}
        {delivery.retried_as && <span className="block text-meta text-muted">retried since</span>}
      </Td>
      <Td className="max-wide:hidden">
        {delivery.prediction_id ? (
          <RowControls>
            <IdChip id={delivery.prediction_id} href={`/predictions/${delivery.prediction_id}`} />
          </RowControls>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      {showsEndpoint && (
        <Td className="max-w-48 min-w-36 text-muted max-desktop:hidden">
          <EndpointAddress url={delivery.url} href={`/webhooks/endpoints/${delivery.endpoint_id}`} />
        </Td>
      )}
      <Td className="max-tablet:hidden">
        <Time value={delivery.created_at} />
      </Td>
      <Td>
        <RowControls>
          <RetryButton delivery={delivery} compact {...(onQueued && { onQueued })} />
        </RowControls>
      </Td>
    </Tr>
  );
}

/** `prediction.succeeded`, broken after its dot where there is no room. */
function EventName({ type }: { type: string }) {
  const [subject, ...rest] = type.split(".");
  if (rest.length === 0) return type;
  return (
    <>
      {subject}.<wbr />
      {rest.join(".")}
    </>
  );
}

function TriggerNote({ trigger }: { trigger: string }) {
  const words = triggerWords[trigger];
  if (!words) return null;
  return (
    <span className="flex items-center gap-1 text-meta whitespace-nowrap text-muted">
      <CornerDownRight size={12} aria-hidden /> {words}
    </span>
  );
}
