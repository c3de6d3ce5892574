import type { Delivery } from "#contract/webhook.ts";
import { Link } from "@/components/ui/page/link";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";
import { deliveryLook } from "@/lib/status/delivery";
import { errorLabel } from "@/lib/webhooks/error-labels";
import { failingGroups } from "./failing-groups.ts";

const maxShown = 6;

/** Deliveries that did not arrive, one line per endpoint and state. */
export function FailingDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const groups = failingGroups(deliveries);
  if (groups.length === 0) return <p className="text-muted">No failed deliveries in the last 24 hours.</p>;
  return (
    <ul className="overflow-hidden rounded-panel border bg-panel">
      {groups.slice(0, maxShown).map(({ newest, count, href }) => {
        const look = deliveryLook(newest.status);
        return (
          <li key={newest.id} className="border-b last:border-b-0">
            <Link
              href={href}
              className="row-padding flex items-center gap-3 px-3 text-table hover:bg-sunken focus-visible:-outline-offset-2!"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">
                  {count === 1 ? newest.event_type : formatCount(count, "delivery", "deliveries")}
                </span>
                <span className="block truncate text-meta text-muted">{reasonOf(newest)}</span>
              </span>
              <span className="shrink-0 text-right">
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
                <span className="mt-0.5 block text-meta text-muted">
                  {count > 1 && "latest "}
                  <Time value={newest.created_at} />
                </span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The last error, and at which host. */
function reasonOf({ url, endpoint_description: description, last_error }: Delivery): string {
  const host = description || (URL.canParse(url) ? new URL(url).host : url);
  return last_error ? `${errorLabel(last_error)}: ${host}` : host;
}
