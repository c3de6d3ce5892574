import type { List } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { RequestRow } from "#contract/usage.ts";
import type { Delivery } from "#contract/webhook.ts";
import { predictionHref } from "@/components/predictions/links";
import { inputTitle } from "@/lib/schema-form/messages";
import { deliveryLook } from "@/lib/status/delivery";
import { type FailureWords, failureInShort } from "@/lib/status/failure-words";
import { predictionLook } from "@/lib/status/prediction";
import { requestOutcome } from "@/lib/status/request";
import type { StatusLook } from "@/lib/status/status-look";
import { shortAddress } from "@/lib/webhooks/addresses";
import { errorLabel } from "@/lib/webhooks/error-labels";
import type { Words } from "@/messages/words";

/** The words of entries. */
export interface EntryWords {
  metadata: Words<"metadata">;
  webhooks: Words<"webhooks">;
  failures: FailureWords;
}

/** A request, prediction or delivery, in one line of the history. */
export interface Entry {
  id: string;
  href: string;
  kind: "request" | "prediction" | "delivery";
  /** What it was: a prompt, a route, an event. */
  title: string;
  /** With which model, or to which address. */
  of: string;
  look: (t: Words<"states">) => StatusLook;
  /** Why it failed. Null if it did not. */
  reason: string | null;
  at: string;
  /** For a request: the run that it started. */
  runId?: string | null;
}

/** The newest entries of a list. */
export type Entries = Pick<List<Entry>, "data" | "has_more">;

/**
 * The newest entries of all lists together. `isWhole` is false if older ones exist: entries from before the
 * oldest read row of a list are left out, because others of that list may lie between them. A request that
 * created a listed prediction is left out too.
 */
export function historyOf(lists: readonly Entries[]): { entries: Entry[]; isWhole: boolean } {
  const all = lists.flatMap(({ data }) => data);
  const listed = new Set(all.map(({ id }) => id));
  const complete = Math.max(0, ...lists.map(({ data, has_more }) => (has_more ? timeOf(data.at(-1)) : 0)));
  const entries = all
    .filter((entry) => timeOf(entry) >= complete && !(entry.runId && listed.has(entry.runId)))
    .sort((one, other) => timeOf(other) - timeOf(one));
  return { entries, isWhole: complete === 0 };
}

function timeOf(entry: Pick<Entry, "at"> | undefined): number {
  return entry ? Date.parse(entry.at) : 0;
}

/** The entry of a request. */
export function requestEntry({ metadata: t, failures }: EntryWords, row: RequestRow): Entry {
  const { id, route, model, at, run_id: runId } = row;
  const outcome = requestOutcome(row);
  return {
    ...{ id, href: `/requests/${id}`, kind: "request", at, runId },
    title: route.replace(/^\/v1\//, ""),
    of: model ?? row.wanted_model ?? "",
    look: (states) => predictionLook(states, outcome),
    reason:
      outcome === "failed"
        ? (failureInShort(failures, row) ?? t("answered", { status: String(row.status) }))
        : null,
  };
}

/** The entry of a prediction. */
export function predictionEntry({ failures }: EntryWords, prediction: Prediction): Entry {
  const { id, model, input, status, error, created_at: at } = prediction;
  return {
    ...{ id, href: predictionHref(id), kind: "prediction", at },
    title: (input && inputTitle(input)) ?? model,
    of: model,
    look: (t) => predictionLook(t, status),
    reason: error && failureInShort(failures, error),
  };
}

/** Longest address in a row. */
const addressLength = 48;

/** The entry of a delivery. */
export function deliveryEntry({ webhooks }: EntryWords, row: Delivery): Entry {
  const { id, event_type: title, status, last_error: error, last_status_code: code, created_at: at } = row;
  const failed = status !== "delivered" && (code !== null || error !== null);
  return {
    ...{ id, href: `/webhooks/deliveries/${id}`, kind: "delivery", title, at },
    of: shortAddress(row.url, addressLength).text,
    look: (states) => deliveryLook(states, status),
    reason: failed
      ? code === null
        ? errorLabel(webhooks, error ?? "")
        : webhooks("receiverAnswered", { status: String(code) })
      : null,
  };
}
