import type { Counted } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Delivery } from "#contract/webhook.ts";
import { useWords } from "#words";
import { StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { AnswerChip } from "@/components/webhooks/deliveries/answer-chip";
import { EndpointAddress } from "@/components/webhooks/deliveries/endpoint-address";
import { RetryButton } from "@/components/webhooks/deliveries/retry-button";
import { idHref } from "@/lib/resources";
import { deliveryLook, isDeliveryLive } from "@/lib/status/delivery";
import type { PredictionDeliveries } from "@/lib/webhooks/delivery-story";
import type { Words } from "@/messages/words";

interface DeliveriesPanelProps {
  prediction: Pick<Prediction, "id" | "status">;
  deliveries: PredictionDeliveries;
  onQueued: () => void;
}

/** The endpoints that got the prediction's event, the results, and the button that sends it again. */
export function DeliveriesPanel({ prediction, deliveries, onQueued }: DeliveriesPanelProps) {
  const t = useWords("predictions");
  const { newest, total } = deliveries;
  if (newest.length === 0)
    return (
      <Section title={t("deliveries")} className="mt-6">
        <p className="text-muted">
          {t.rich(
            "noEventWasSent",
            { event: `prediction.${prediction.status}` },
            { code: (content) => <code key="event">{content}</code> },
          )}{" "}
          <Link href="/webhooks/endpoints" className="text-accent underline underline-offset-2">
            {t("endpoints")}
          </Link>
        </p>
      </Section>
    );
  const isPart = total !== null && total.count > newest.length;
  return (
    <Section
      title={t("deliveries")}
      className="mt-6"
      description={
        total === null
          ? undefined
          : isPart
            ? t("newestAreShown", { counted: countedWords(t, total), shown: newest.length })
            : countedWords(t, total)
      }
      actions={
        <LinkButton size="sm" variant="ghost" href={`/webhooks/deliveries?prediction_id=${prediction.id}`}>
          {isPart ? t("allTotal", { total: countedWords(t, total) }) : t("openInTheLog")}
        </LinkButton>
      }
    >
      <ul
        aria-label={t("deliveriesOfThisPredictionsEvent")}
        className="divide-y divide-line overflow-hidden rounded-panel border bg-panel"
      >
        {newest.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onQueued={onQueued} />
        ))}
      </ul>
    </Section>
  );
}

function countedWords(t: Words<"predictions">, { count, more }: Counted): string {
  return t(more ? "moreDeliveriesThan" : "countOfDeliveries", { count });
}

function DeliveryRow({ delivery, onQueued }: { delivery: Delivery; onQueued: () => void }) {
  const t = useWords("predictions");
  const webhooks = useWords("webhooks");
  const { id, url, attempts, max_attempts: max, next_attempt_at: nextAt } = delivery;
  const look = deliveryLook(useWords("states"), delivery.status);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-table">
      <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
      <div className="min-w-0 flex-1 basis-36">
        <EndpointAddress
          url={url}
          description={delivery.callback ? webhooks("addressOfTheRequest") : delivery.endpoint_description}
          href={idHref(id) ?? undefined}
        />
      </div>
      <RetryButton delivery={delivery} size="sm" onQueued={onQueued} />
      <p className="tabular flex basis-full flex-wrap items-center gap-x-2 text-meta text-muted">
        <AnswerChip status={delivery.last_status_code} error={delivery.last_error} />
        <span>{t("attemptsOfMaxAttempts", { attempts, max })}</span>
        {isDeliveryLive(delivery) && nextAt && (
          <span>
            {t.rich(
              "nextIn",
              {},
              { time: () => <Countdown key="time" until={nextAt} ended={t("aMoment")} /> },
            )}
          </span>
        )}
        <Time value={delivery.created_at} />
      </p>
    </li>
  );
}
