import type { ComponentProps } from "react";
import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import type { Money } from "@/components/ui/money";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import type { requestRoute } from "@/lib/server/gateway/request";
import { shortAddress } from "@/lib/webhooks/addresses";
import {
  deliveryEntry,
  type Entries,
  type Entry,
  type EntryWords,
  predictionEntry,
  requestEntry,
} from "./history.ts";

/** What the page shows of one customer. */
export interface Findings {
  parts: readonly Part[];
  /** Null if it is unknown, or the reader may not see it. */
  cost: { money: ComponentProps<typeof Money>; href: string } | "not summed" | null;
  /** Those that name the customer. */
  endpoints: readonly Endpoint[];
  /** Pairs of metadata that a description names. */
  pairs: readonly string[];
  /** Faults that the reader must know about. */
  failures: readonly GatewayFailure[];
  /** False if no list could be read; `failures` then says why. */
  isReadable: boolean;
}

/** One of the lists. */
export interface Part {
  label: string;
  /** The list itself, with the same filter. */
  href: string;
  all: Answer;
  /** Its failures, a list for each status. */
  failed: readonly Answer[];
  /** Says how many they are: a message of `metadata`. */
  failedText: "countFailed" | "countNotDelivered";
}

type Answer = GatewayResult<Entries & Pick<List<Entry>, "total">>;
type Request = typeof requestRoute;
type Since = { created_after: string };

/** How many rows of each list are read for the history. */
const rowsRead = 30;

/** Everything with a pair of metadata, as far as the reader may see it. `today` is a day, such as 2026-11-20. */
export async function findByPair(
  words: EntryWords,
  request: Request,
  pair: string,
  since: Since,
  today: string,
): Promise<Findings> {
  const t = words.metadata;
  const filter = { metadata: pair, ...since };
  const query = { ...filter, limit: rowsRead, count: true };
  const days = { metadata: pair, from: since.created_after.slice(0, 10), to: today };
  const requests = (status: { status_class?: "4xx" | "5xx" }) =>
    entriesOf(request("GET /requests", { query: { ...query, ...status } }), (row) =>
      requestEntry(words, row),
    );
  const predictions = (status: { status?: "failed" }) =>
    entriesOf(request("GET /predictions", { query: { ...query, ...status, view: "summary" } }), (row) =>
      predictionEntry(words, row),
    );
  const href = (list: string) => `${list}?${new URLSearchParams(filter)}`;
  const [all, refused, broken, made, failed, deliveries, usage, endpoints] = await Promise.all([
    requests({}),
    requests({ status_class: "4xx" }),
    requests({ status_class: "5xx" }),
    predictions({}),
    predictions({ status: "failed" }),
    readDeliveries(words, request, filter),
    request("GET /usage", { query: { ...days, group_by: "model" } }),
    readEndpoints(request, pair.slice(pair.indexOf("=") + 1)),
  ]);
  const isSummed = usage.ok || usage.error.param !== "metadata";
  return findingsOf({
    parts: [
      {
        label: t("requests"),
        href: href("/requests"),
        all,
        failed: [refused, broken],
        failedText: "countFailed",
      },
      {
        label: t("predictions"),
        href: href("/predictions"),
        all: made,
        failed: [failed],
        failedText: "countFailed",
      },
      deliveries,
    ],
    cost: usage.ok
      ? { money: usage.data.total.cost, href: `/usage?${new URLSearchParams(days)}` }
      : isSummed
        ? null
        : "not summed",
    endpoints,
    pairs: [],
    others: isSummed ? [usage] : [],
  });
}

/** Deliveries of at most this many endpoints are read for a description. */
const maxEndpointsRead = 3;

/** The endpoints with a description, their deliveries, and the pairs of metadata that it names. */
export async function findByDescription(
  words: EntryWords,
  request: Request,
  description: string,
  since: Since,
): Promise<Findings> {
  const endpoints = await readEndpoints(request, description);
  const some = endpoints.ok ? endpoints.data.slice(0, maxEndpointsRead) : [];
  const [known, ...deliveries] = await Promise.all([
    request("GET /usage/metadata", { query: { from: since.created_after.slice(0, 10) } }),
    ...some.map(({ id }) => readDeliveries(words, request, { endpoint_id: id, ...since })),
  ]);
  const pairs = (known.ok ? known.data.data : []).flatMap(({ key, value }) =>
    value !== null && namesValue({ description, url: "" }, value) ? [`${key}=${value}`] : [],
  );
  return findingsOf({
    parts: deliveries.map((part, at) => ({
      ...part,
      ...(some.length > 1 && {
        label: words.metadata("deliveriesTo", { address: shortAddress(some[at]?.url ?? "", 32).text }),
      }),
    })),
    cost: null,
    endpoints,
    pairs: [...new Set(pairs)],
    others: [],
  });
}

interface Sources extends Pick<Findings, "parts" | "cost" | "pairs"> {
  endpoints: GatewayResult<readonly Endpoint[]>;
  /** Other answers of which a failure must be shown. */
  others: readonly GatewayResult<unknown>[];
}

/** Leaves out the parts that the reader may not see. Their failure is only shown if no list can be read. */
function findingsOf({ parts, cost, endpoints, pairs, others }: Sources): Findings {
  const answers = [...parts.flatMap(({ all, failed }) => [all, ...failed]), endpoints, ...others];
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
  const isReadable = parts.some(({ all }) => all.ok) || (parts.length === 0 && endpoints.ok);
  const told = isReadable ? failures.filter((failure) => !isHidden(failure)) : failures.slice(0, 1);
  return {
    ...{ cost, pairs, isReadable },
    parts: parts.filter(({ all }) => all.ok || (isReadable && !isHidden(all.error))),
    endpoints: endpoints.ok ? endpoints.data : [],
    failures: [...new Map(told.map((failure) => [failure.code, failure])).values()],
  };
}

function isHidden({ status, code }: GatewayFailure): boolean {
  return status === 403 || code === "route_not_found";
}

async function entriesOf<Row>(
  answer: Promise<GatewayResult<List<Row>>>,
  entryOf: (row: Row) => Entry,
): Promise<Answer> {
  const result = await answer;
  return result.ok ? { ok: true, data: { ...result.data, data: result.data.data.map(entryOf) } } : result;
}

/** The states of deliveries whose event has not arrived. */
const missedStates = ["failed", "dead-letter", "waiting"] as const;

async function readDeliveries(
  words: EntryWords,
  request: Request,
  filter: Since & { metadata?: string; endpoint_id?: string },
): Promise<Part> {
  const read = (status: object) =>
    entriesOf(
      request("GET /webhooks/deliveries", { query: { ...filter, limit: rowsRead, count: true, ...status } }),
      (row) => deliveryEntry(words, row),
    );
  const [all, ...failed] = await Promise.all([
    read({}),
    ...missedStates.map((status) => read({ status, ...(status !== "waiting" && { retried: false }) })),
  ]);
  const href = `/webhooks/deliveries?${new URLSearchParams(filter)}`;
  return { label: words.metadata("deliveries"), href, all, failed, failedText: "countNotDelivered" };
}

/** At most this many endpoints are read to find those that name the value. */
const maxEndpoints = 100;

async function readEndpoints(request: Request, value: string): Promise<GatewayResult<Endpoint[]>> {
  const query = { search: value.slice(0, 100), limit: maxEndpoints };
  const answer = await request("GET /webhooks/endpoints", { query });
  if (!answer.ok) return answer;
  return { ok: true, data: answer.data.data.filter((endpoint) => namesValue(endpoint, value)) };
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
