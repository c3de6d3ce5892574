import { listView } from "./list-view.ts";

/*
 * The console's lists with their filters, under the gateway's names. Predictions, requests and
 * deliveries have files of their own, which the pages of the others do not load.
 */

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
