import type { List } from "#contract/list.ts";
import type { Delivery, DeliveryFilter } from "#contract/webhook.ts";
import { retryableDeliveryStatuses } from "#contract/webhook-constants.ts";
import { type FilterNameOf, listView, type ViewOf } from "../list-view.ts";

/** An additional status of the list: failed, then retried by hand. */
export const retriedSince = "retried";

/**
 * The log of deliveries. Failed deliveries need a retry, so those that already had one have a separate
 * status.
 */
export const deliveryList = listView(
  [
    "status",
    "endpoint_id",
    "event_type",
    "prediction_id",
    "event_id",
    "id",
    "metadata",
    "status_class",
    "error_code",
  ],
  ({ status, ...filter }): FilterText => {
    if (status === retriedSince) return { ...filter, retried: true };
    return { ...filter, ...(status && { status }), ...(isRetryable(status) && { retried: false }) };
  },
);
export type DeliveryView = ViewOf<typeof deliveryList>;
export type DeliveryFilterName = FilterNameOf<typeof deliveryList>;

/** A filter as in its URL. The gateway refuses unknown values. */
export type FilterText = { [Name in keyof Omit<DeliveryFilter, "retried">]?: string } & { retried?: boolean };

function isRetryable(status: string | undefined): boolean {
  return retryableDeliveryStatuses.some((each) => each === status);
}

/**
 * Whether "Retry matching" has something to send, judging by the visible page. Without a filter it would send
 * the whole log.
 */
export function canRetryMatching(view: DeliveryView, { data, has_more }: List<Delivery>): boolean {
  if (deliveryList.countOf(view) === 0 || view.status === retriedSince) return false;
  const isSomewhere = has_more || view.after !== "" || view.before !== "";
  return (
    data.some(({ status, retried_as }) => isRetryable(status) && retried_as === null) ||
    (isSomewhere && (view.status === "" || isRetryable(view.status)))
  );
}
