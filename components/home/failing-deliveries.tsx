import type { Delivery } from "#contract/webhook.ts";
import { Link } from "@/components/ui/link";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { deliveryLook } from "@/lib/status/delivery";
import { errorLabel } from "@/lib/webhooks/error-labels";

const mostShown = 6;

/** Deliveries that did not arrive, newest first; one may be given twice, when it ended between two lists. */
export function FailingDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const unique = [...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values()];
  const failing = unique
    .filter(
      ({ status, retried_as }) => retried_as === null && (status === "failed" || status === "dead-letter"),
    )
    .sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  if (failing.length === 0) return <p className="text-muted">No failed deliveries in the last 24 hours.</p>;
  return (
    <ul className="overflow-hidden rounded-panel border bg-panel">
      {failing.slice(0, mostShown).map((delivery) => {
        const look = deliveryLook(delivery.status);
        return (
          <li key={delivery.id} className="border-b last:border-b-0">
            <Link
              href={`/webhooks/deliveries/${delivery.id}`}
              className="row-padding flex items-center gap-3 px-3 text-table hover:bg-sunken focus-visible:-outline-offset-2!"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{delivery.event_type}</span>
                <span className="block truncate text-meta text-muted">{reasonOf(delivery)}</span>
              </span>
              <span className="shrink-0 text-right">
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
                <span className="mt-0.5 block text-meta text-muted">
                  <Time value={delivery.created_at} />
                </span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** What went wrong last, and where. */
function reasonOf({ url, last_error }: Delivery): string {
  const host = URL.canParse(url) ? new URL(url).host : url;
  return last_error ? `${errorLabel(last_error)}: ${host}` : host;
}
