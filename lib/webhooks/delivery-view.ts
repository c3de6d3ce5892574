import type { List, PageQuery } from "#contract/list.ts";
import type { Delivery, DeliveryFilter } from "#contract/webhook.ts";
import { retryableDeliveryStatuses } from "#contract/webhook-constants.ts";
import { type TimeFilter, timeBounds } from "../time-filter.ts";

/** A filter as its URL has it: the gateway refuses a value that does not exist. */
export type FilterText = { [Name in keyof Omit<DeliveryFilter, "retried">]?: string } & { retried?: boolean };

/** Among the statuses of the list: the failed ones that were retried by hand since. */
export const retriedSince = "retried";

/** The delivery log's place and filters, as they stand in its URL; an empty string is no filter. */
export interface DeliveryView extends TimeFilter {
  status: string;
  endpoint_id: string;
  event_type: string;
  prediction_id: string;
  event_id: string;
  id: string;
  status_class: string;
  error_code: string;
  after: string;
  before: string;
}

export const emptyView: DeliveryView = {
  status: "",
  endpoint_id: "",
  event_type: "",
  prediction_id: "",
  event_id: "",
  id: "",
  status_class: "",
  error_code: "",
  since: "",
  created_after: "",
  created_before: "",
  after: "",
  before: "",
};

export const deliveryPageSize = 50;

const plainFilters = [
  "status",
  "endpoint_id",
  "event_type",
  "prediction_id",
  "event_id",
  "id",
  "status_class",
  "error_code",
] as const;
const timeFilters = ["since", "created_after", "created_before"] as const;

/** The filter of the view, without the page. */
export function filterOf(view: DeliveryView, nowMs: number): FilterText {
  const filter: FilterText = {};
  for (const name of plainFilters) if (view[name] !== "") filter[name] = view[name];
  // Failed ones ask for a retry, so those that had one are a state of their own.
  if (view.status === retriedSince) {
    delete filter.status;
    filter.retried = true;
  } else if (isRetryable(view.status)) filter.retried = false;
  return { ...filter, ...timeBounds(view, nowMs) };
}

function isRetryable(status: string): boolean {
  return retryableDeliveryStatuses.some((each) => each === status);
}

/** The list query of the view's page. */
export function queryOf(view: DeliveryView, nowMs: number): FilterText & PageQuery {
  return {
    ...filterOf(view, nowMs),
    limit: deliveryPageSize,
    ...(view.after ? { after: view.after } : view.before ? { before: view.before } : {}),
  };
}

/** The view as a query string for links; paging left out. */
export function viewSearch(view: DeliveryView): string {
  const entries = [...plainFilters, ...timeFilters].flatMap((name) =>
    view[name] === "" ? [] : [[name, view[name]]],
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}

/** How many filters are set; a stretch of time is one. */
export function countFilters(view: DeliveryView): number {
  const isSet = (name: keyof DeliveryView) => view[name] !== "";
  return plainFilters.filter(isSet).length + (timeFilters.some(isSet) ? 1 : 0);
}

/**
 * Whether a retry of everything that matches has something to send, as far as the page that is shown can tell: without
 * a filter it would send the whole log.
 */
export function canRetryMatching(view: DeliveryView, { data, has_more }: List<Delivery>): boolean {
  if (countFilters(view) === 0 || view.status === retriedSince) return false;
  const isSomewhere = has_more || view.after !== "" || view.before !== "";
  return (
    data.some(({ status, retried_as }) => isRetryable(status) && retried_as === null) ||
    (isSomewhere && (view.status === "" || isRetryable(view.status)))
  );
}

type IdFilterName = "id" | "event_id" | "prediction_id" | "endpoint_id";

const idFilters = new Map<string, IdFilterName>([
  ["dlv", "id"],
  ["evt", "event_id"],
  ["pred", "prediction_id"],
  ["we", "endpoint_id"],
]);

/** Which filter a pasted id belongs to, by its prefix; null when the log has no filter for it. */
export function idFilter(pasted: string): { name: IdFilterName; value: string } | null {
  const value = pasted.trim();
  const name = idFilters.get(/^([a-z]+)_[0-9a-z]+$/.exec(value)?.[1] ?? "");
  return name ? { name, value } : null;
}
