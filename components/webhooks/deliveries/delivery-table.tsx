"use client";

import { CornerDownRight } from "lucide-react";
import type { Delivery } from "#contract/webhook.ts";
import { useWords } from "#words";
import { NoteCount } from "@/components/notes/note-count";
import { StatusPill } from "@/components/ui/badge";
import { Countdown } from "@/components/ui/countdown";
import { IdChip } from "@/components/ui/id-chip";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls, RowLink } from "@/components/ui/list/table";
import { Time, useNow } from "@/components/ui/time";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { deliveryLook, isDeliveryLive, isHeldBack } from "@/lib/status/delivery";
import type { Key, Words } from "@/messages/words";
import { AnswerChip } from "./answer-chip.tsx";
import { EndpointAddress } from "./endpoint-address.tsx";
import { RetryButton } from "./retry-button.tsx";

interface DeliveryTableProps {
  deliveries: Delivery[];
  label: string;
  /** `?status=failed…`: links pass the filter on, so that J and K follow the same list. */
  search?: string;
  /** False on the page of one endpoint, whose name every row would repeat. */
  showsEndpoint?: boolean;
  /** The ticked rows and a function to change them. */
  selection?: { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void };
  /** True for few rows: their buttons have text. */
  buttonsInWords?: boolean;
  onQueued?: (delivery: Delivery) => void;
}

/** Deliveries as rows, each of which is a link. */
export function DeliveryTable({
  deliveries,
  label,
  search = "",
  showsEndpoint = true,
  selection,
  buttonsInWords = false,
  onQueued,
}: DeliveryTableProps) {
  const t = useWords("webhooks");
  const states = useWords("states");
  return (
    <RowsTable
      label={label}
      className="max-[1340px]:[&_td]:px-2 max-[1340px]:[&_th]:px-2"
      rows={deliveries}
      columns={[
        {
          head: t("event"),
          cell: (delivery) => (
            <>
              <RowLink href={`/webhooks/deliveries/${delivery.id}${search}`} className="whitespace-nowrap">
                {delivery.event_type}
              </RowLink>
              <TriggerNote trigger={delivery.trigger} /> <NoteCount count={delivery.notes} />
            </>
          ),
        },
        ...columnsOf(t, states),
        showsEndpoint && endpointColumn(t),
        {
          head: t("created"),
          from: "tablet",
          cell: (delivery) => <Time value={delivery.created_at} />,
        },
        {
          head: actionsHead,
          // Beside a checkbox, the first line of a phone has no room for the button.
          ...(selection && { cellClass: "max-tablet:order-2" }),
          cell: (delivery) => (
            <RowControls>
              <RetryButton
                delivery={delivery}
                size="sm"
                compact={!buttonsInWords}
                {...(onQueued && { onQueued })}
              />
            </RowControls>
          ),
        },
      ]}
      selection={
        selection && {
          ...selection,
          allLabel: t("selectAllDeliveries"),
          labelOf: ({ id, event_type }) => t("selectDelivery", { type: event_type, id }),
        }
      }
    />
  );
}

const secondMs = 1_000;

const columnsOf = (t: Words<"webhooks">, states: Words<"states">): readonly Column<Delivery>[] => [
  {
    head: t("status"),
    cell(delivery) {
      const look = deliveryLook(states, delivery.status);
      return <StatusPill {...look} title={look.meaning} />;
    },
  },
  {
    head: t("response"),
    from: "tablet",
    cell: (delivery) => <AnswerChip status={delivery.last_status_code} error={delivery.last_error} />,
  },
  {
    head: t("attempts"),
    from: "tablet",
    cellClass: "whitespace-nowrap",
    cell: (delivery) => (
      <>
        <span className="tabular">
          {t("attemptsOf", { attempts: String(delivery.attempts), max: String(delivery.max_attempts) })}
        </span>
        <NextAttempt delivery={delivery} />
        {delivery.retried_as && <span className="block text-meta text-muted">{t("retriedSinceNote")}</span>}
      </>
    ),
  },
  {
    head: t("prediction"),
    from: "wide",
    cell: ({ prediction_id: id }) =>
      id ? (
        <RowControls>
          <IdChip id={id} href={`/predictions/${id}`} />
        </RowControls>
      ) : (
        <span className="text-faint">–</span>
      ),
  },
];

/** When the delivery is sent next, or what holds it back. */
function NextAttempt({ delivery }: { delivery: Delivery }) {
  const t = useWords("webhooks");
  const nowMs = useNow(delivery.waits_for === "rate" ? secondMs : null);
  // The server's clock may be on the other side of the moment.
  const isHydrated = useHydrated();
  if (isHydrated && isHeldBack(delivery, nowMs))
    return <span className="block text-meta whitespace-normal text-muted">{t("waitsForTheRateLimit")}</span>;
  if (!isDeliveryLive(delivery) || delivery.next_attempt_at === null) return null;
  return (
    <span className="block text-meta text-muted">
      {t.rich(
        "nextIn",
        {},
        { time: () => <Countdown key="time" until={delivery.next_attempt_at ?? ""} ended={t("dueNow")} /> },
      )}
    </span>
  );
}

const endpointColumn = (t: Words<"webhooks">): Column<Delivery> => ({
  head: t("endpoint"),
  from: "desktop",
  cellClass: "w-full max-w-0 min-w-36 text-muted max-tablet:basis-full",
  cell: (delivery) => (
    <EndpointAddress
      url={delivery.url}
      description={delivery.callback ? t("addressOfTheRequest") : delivery.endpoint_description}
      {...(!delivery.callback && { href: `/webhooks/endpoints/${delivery.endpoint_id}` })}
    />
  ),
});

const triggerLabels: Record<string, Key<"webhooks">> = {
  manual: "manualRetryNote",
  bulk: "bulkRetryNote",
};

function TriggerNote({ trigger }: { trigger: string }) {
  const t = useWords("webhooks");
  const label = triggerLabels[trigger];
  if (!label) return null;
  return (
    <span className="flex items-center gap-1 text-meta whitespace-nowrap text-muted">
      <CornerDownRight size={12} aria-hidden /> {t.text(label)}
    </span>
  );
}
