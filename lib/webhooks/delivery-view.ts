import type { PageQuery } from "#contract/list.ts";
import type { DeliveryFilter } from "#contract/webhook.ts";

/** A filter as its URL has it: the gateway refuses a value that does not exist. */
export type FilterText = { [Name in keyof DeliveryFilter]: string };

/** The delivery log's place and filters, as they stand in its URL; an empty string is no filter. */
export interface DeliveryView {
  status: string;
  endpoint_id: string;
  event_type: string;
  prediction_id: string;
  event_id: string;
  id: string;
  status_class: string;
  error_code: string;
  /** A key of `spans`, or empty. */
  since: string;
  /** RFC 3339; set by links and by the time fields, stronger than `since`. */
  created_after: string;
  created_before: string;
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

const hourMs = 3_600_000;

export const spans = new Map([
  ["1h", { label: "Last hour", ms: hourMs }],
  ["24h", { label: "Last 24 hours", ms: 24 * hourMs }],
  ["7d", { label: "Last 7 days", ms: 7 * 24 * hourMs }],
]);

/** A moving start is rounded down to this, so that the same page is asked for by the same query for a while. */
const spanStepMs = 60_000;

const plainFilters = [
  "status",
  "endpoint_id",
  "event_type",
  "prediction_id",
  "event_id",
  "id",
  "status_class",
  "error_code",
  "created_after",
  "created_before",
] as const;

/** What the view lets through, without the page. */
export function filterOf(view: DeliveryView, nowMs: number): FilterText {
  const filter: FilterText = {};
  for (const name of plainFilters) if (view[name] !== "") filter[name] = view[name];
  const span = spans.get(view.since);
  if (span && filter.created_after === undefined) {
    const startMs = Math.floor((nowMs - span.ms) / spanStepMs) * spanStepMs;
    filter.created_after = new Date(startMs).toISOString();
  }
  return filter;
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
  const entries = [...plainFilters, "since" as const].flatMap((name) =>
    view[name] === "" ? [] : [[name, view[name]]],
  );
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}

/** How many filters are set. */
export function countFilters(view: DeliveryView): number {
  return [...plainFilters, "since" as const].filter((name) => view[name] !== "").length;
}

type IdFilterName = "id" | "event_id" | "prediction_id" | "endpoint_id";

const idFilters = new Map<string, IdFilterName>([
  ["dlv", "id"],
  ["evt", "event_id"],
  ["pred", "prediction_id"],
  ["we", "endpoint_id"],
]);

/** Which filter a pasted id belongs to, by its prefix; null when it is no id that the log knows. */
export function idFilter(pasted: string): { name: IdFilterName; value: string } | null {
  const value = pasted.trim();
  const name = idFilters.get(/^([a-z]+)_[0-9a-z]+$/.exec(value)?.[1] ?? "");
  return name ? { name, value } : null;
}
