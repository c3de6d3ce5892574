import { type FilterNameOf, listView } from "./list-view.ts";

/*
 * The console's lists with their filters, under the gateway's names. The log of deliveries has its own file:
 * lib/webhooks/delivery-view.ts.
 */

/** Predictions, with only the fields that a row shows. */
export const predictionList = listView(
  ["search", "status", "deliveries", "model", "api_type", "svc_region", "user_id", "metadata"],
  (filter) => ({ ...filter, view: "summary" as const }),
);
export type PredictionFilterName = FilterNameOf<typeof predictionList>;

const outputList = listView(["kind", "model", "api_type", "svc_region", "user_id", "metadata"]);

/** The output files of predictions as a gallery, the other view of the predictions page. */
export const galleryList = {
  ...outputList,
  searchOf: (view: typeof outputList.empty) =>
    `?view=${galleryView}${outputList.searchOf(view).replace("?", "&")}`,
};
export type GalleryFilterName = FilterNameOf<typeof galleryList>;
/** Value of `view` in the address. */
export const galleryView = "gallery";

/**
 * Batches over the rows of a table. Batches that were created in OpenAI's shape are included, in the
 * gateway's own shape.
 */
export const batchList = listView(["search", "status", "model", "user_id"], (filter) => ({
  ...filter,
  kind: "table" as const,
  shape: "gatehouse" as const,
}));

/** The batches that Compare starts: one input on several models. */
export const comparisonList = listView(["search", "status", "model", "user_id"], (filter) => ({
  ...filter,
  kind: "comparison" as const,
  shape: "gatehouse" as const,
}));

export const keyList = listView(["search", "user_id"]);

/** Webhook endpoints. */
export const endpointList = listView(["search", "status", "sort"]);

/** Lists that have a search and no other filter: presets, conversations, destinations. */
export const searchedList = listView(["search"]);

export const uploadList = listView(["search", "status", "user_id"]);

/** Kept outputs. */
export const libraryList = listView(["search", "label", "model"], (filter) => ({ ...filter, kept: true }));

/**
 * The request log. The console's reads are left out unless the user includes them. `said` has words of the contents,
 * which another route searches.
 */
export const requestList = listView(
  [
    "status",
    "status_class",
    "code",
    "route",
    "model",
    "key_id",
    "user_id",
    "actor",
    "metadata",
    "client_request_id",
    "conversation",
    "contents",
    "said",
    "console_reads",
  ],
  ({ console_reads, status, contents, said: _, ...filter }) => ({
    ...filter,
    ...(contents === "kept" && { contents }),
    ...(status !== undefined && { status: Number(status) }),
    ...(console_reads !== "true" && { console_reads: false }),
  }),
);
export type RequestFilterName = FilterNameOf<typeof requestList>;

/**
 * Notices that were read. The page shows unread notices above, grouped by cause. `unread` lists these one by
 * one instead.
 */
export const noticeList = listView(["unread", "cause"], ({ unread, ...filter }) => ({
  ...filter,
  ...(unread === "true" ? { unread: true } : { read: true }),
}));

/** Copies, of which a page shows those to one destination. */
export const copyList = listView(["status"]);
export const copiesTo = (destination: string) => ({
  ...copyList,
  queryOf: (view: typeof copyList.empty, nowMs: number) => ({
    ...copyList.queryOf(view, nowMs),
    destination,
  }),
});

/**
 * Tasks, filtered by the holder of the cap or by the value. A value must be complete: parts of it find
 * nothing.
 */
export const taskList = listView(["holder", "value"]);

export const auditList = listView(["action", "user_id"]);
