import type { Prediction } from "#contract/prediction.ts";
import type { RequestRow } from "#contract/usage.ts";
import type { Delivery, Endpoint } from "#contract/webhook.ts";
import { predictionHref } from "@/components/predictions/links";
import { inputTitle } from "@/lib/schema-form/messages";
import { deliveryLook } from "@/lib/status/delivery";
import { predictionLook } from "@/lib/status/prediction";
import { requestOutcome } from "@/lib/status/request";
import type { StatusLook } from "@/lib/status/status-look";
import { shortAddress } from "@/lib/webhooks/addresses";
import { errorLabel } from "@/lib/webhooks/error-labels";

/** A request, prediction or delivery, in one line of the history. */
export interface Entry {
  id: string;
  href: string;
  kind: "Request" | "Prediction" | "Delivery";
  /** What it was: a prompt, a route, an event. */
  title: string;
  /** With which model, or to which address. */
  of: string;
  look: StatusLook;
  /** Why it failed. Null if it did not. */
  reason: string | null;
  at: string;
}

/** The newest rows of a list. */
interface Newest<Row> {
  data: readonly Row[];
  has_more: boolean;
}

interface Sources {
  requests: Newest<RequestRow>;
  predictions: Newest<Prediction>;
  deliveries: Newest<Delivery>;
}

/** Longest address in a row. */
const addressLength = 48;

/**
 * The newest entries of all lists together. `isWhole` is false if older ones exist: entries from before the
 * oldest read row of a list are left out, because others of that list may lie between them. A request that
 * created a listed prediction is left out too.
 */
export function historyOf(sources: Sources): { entries: Entry[]; isWhole: boolean } {
  const { requests, predictions, deliveries } = sources;
  const listed = new Set(predictions.data.map(({ id }) => id));
  const lists: readonly Newest<Entry>[] = [
    {
      ...requests,
      data: requests.data.filter(({ run_id }) => run_id === null || !listed.has(run_id)).map(ofRequest),
    },
    { ...predictions, data: predictions.data.map(ofPrediction) },
    { ...deliveries, data: deliveries.data.map(ofDelivery) },
  ];
  const complete = Math.max(0, ...lists.map(({ data, has_more }) => (has_more ? timeOf(data.at(-1)) : 0)));
  const entries = lists
    .flatMap(({ data }) => data)
    .filter((entry) => timeOf(entry) >= complete)
    .sort((one, other) => timeOf(other) - timeOf(one));
  return { entries, isWhole: complete === 0 };
}

function timeOf(entry: Pick<Entry, "at"> | undefined): number {
  return entry ? Date.parse(entry.at) : 0;
}

function ofRequest(row: RequestRow): Entry {
  const { id, route, model, code, message, at } = row;
  const outcome = requestOutcome(row);
  return {
    ...{ id, href: `/requests/${id}`, kind: "Request", at },
    title: route.replace(/^\/v1\//, ""),
    of: model ?? row.wanted_model ?? "",
    look: predictionLook(outcome),
    reason: outcome === "failed" ? (message ?? code ?? `Answered ${row.status}`) : null,
  };
}

function ofPrediction({ id, model, input, status, error, created_at: at }: Prediction): Entry {
  return {
    ...{ id, href: predictionHref(id), kind: "Prediction", at },
    title: (input && inputTitle(input)) ?? model,
    of: model,
    look: predictionLook(status),
    reason: error?.message ?? null,
  };
}

function ofDelivery(row: Delivery): Entry {
  const { id, event_type: title, status, last_error: error, last_status_code: code, created_at: at } = row;
  const failed = status !== "delivered" && (code !== null || error !== null);
  return {
    ...{ id, href: `/webhooks/deliveries/${id}`, kind: "Delivery", title, at },
    of: shortAddress(row.url, addressLength).text,
    look: deliveryLook(status),
    reason: failed ? (code === null ? errorLabel(error ?? "") : `The receiver answered ${code}`) : null,
  };
}

/** Whether an endpoint's description or address names this value as whole words, in any case. */
export function namesValue(
  { description, url }: Pick<Endpoint, "description" | "url">,
  value: string,
): boolean {
  const wanted = wordsOf(value);
  return wanted !== " " && wordsOf(`${description ?? ""} ${url}`).includes(wanted);
}

/** The letters and numbers of a text, with a space on both sides of each word. */
function wordsOf(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `.replace(/^ +$/, " ");
}
