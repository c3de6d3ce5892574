import type { ReactNode } from "react";
import type { Counted, List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { page } from "@/app/console-page";
import { type Entry, historyOf, namesValue } from "@/components/metadata/history";
import { Badge, StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { Money } from "@/components/ui/money";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatCount, formatNumber } from "@/lib/format";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import { descriptionHref, metadataHref } from "@/lib/metadata-href";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { endpointLookOf } from "@/lib/status/endpoint";
import { shortAddress } from "@/lib/webhooks/addresses";

const head = { title: "Metadata", filters: { pair: "", description: "", since: "", show: "" } };

export async function generateMetadata({ searchParams }: RouteProps) {
  const { pair, description } = await searchParams;
  return { title: [pair ?? description ?? head.title].flat()[0] };
}

/** The times that the page can show. */
const spans = [
  { value: "24h", label: "24 h", words: "24 hours", days: 1 },
  { value: "7d", label: "7 days", words: "7 days", days: 7 },
  { value: "30d", label: "30 days", words: "30 days", days: 30 },
] as const;
type Span = (typeof spans)[number];
const usualSpan: Span = spans[1];

/** Everything of one customer, project or order, named by its pair of metadata or an endpoint's description. */
export default page(head, async ({ word }) => {
  const pair = word("pair")?.includes("=", 1) ? word("pair") : null;
  const description = word("description")?.trim() ?? "";
  if (pair === null && description === "")
    return (
      <>
        <PageHeader title={head.title} />
        <EmptyState
          title="No pair in the address"
          body="Press Ctrl K and type a key, = and a value, such as customer=acme, to see everything with this metadata."
        />
      </>
    );
  const span = spans.find(({ value }) => value === word("since")) ?? usualSpan;
  const nowMs = Date.now();
  const time = { created_after: minuteOf(nowMs - span.days * dayMs) };
  const onlyFailures = word("show") === "failures";
  const found = await (pair === null
    ? readByDescription(description, time)
    : readByPair(pair, time, minuteOf(nowMs).slice(0, 10)));
  const { boxes, endpoints, failures } = found;
  const subject = pair ?? description;
  const here = pair === null ? descriptionHref(description) : metadataHref(pair);
  const { entries, isWhole } = historyOf(onlyFailures ? found.failed : found.all);
  if (boxes.length === 0 && failures[0]) return <LoadFailure error={failures[0]} />;
  const switchTo = (since: string, show: boolean) => `${here}&since=${since}${show ? "&show=failures" : ""}`;
  return (
    <>
      <PageHeader
        title={<span className="font-mono">{subject}</span>}
        description={
          pair === null
            ? "Endpoints with this description, and what was sent to them."
            : "Everything with this metadata, in one place."
        }
        actions={<LivePage drawnAtMs={nowMs} />}
      />
      <nav aria-label="Filters" className="mb-4 flex flex-wrap gap-x-6 gap-y-2">
        <Choices
          options={spans.map(({ value, label }) => ({ label, href: switchTo(value, onlyFailures) }))}
          chosen={span.label}
        />
        <Choices
          options={[false, true].map((show) => ({ label: showWord(show), href: switchTo(span.value, show) }))}
          chosen={showWord(onlyFailures)}
        />
      </nav>
      {failures.map((failure) => (
        <div key={failure.code} className="mb-4">
          <LoadFailure error={failure} />
        </div>
      ))}
      <ul
        aria-label="Counts"
        className="mb-6 grid gap-px overflow-hidden rounded-panel border bg-(--line) tablet:auto-cols-fr tablet:grid-flow-col"
      >
        {boxes.map((box) => (
          <CountBox key={box.label} {...box} />
        ))}
      </ul>
      {pair === null && found.pairs.length > 0 && (
        <p className="mb-4 flex flex-wrap items-center gap-2 text-table text-muted">
          Metadata with this name:
          {found.pairs.map((each) => (
            <Link
              key={each}
              href={metadataHref(each)}
              className="font-mono text-accent underline underline-offset-2"
            >
              {each}
            </Link>
          ))}
        </p>
      )}
      {endpoints !== null && endpoints.length > 0 && <Endpoints endpoints={endpoints} />}
      <Section title={onlyFailures ? "Failures" : "History"}>
        {entries.length === 0 ? (
          <EmptyState
            title={`${onlyFailures ? "No failures" : "Nothing"} in the last ${span.words}`}
            body={
              pair === null
                ? "Deliveries to these endpoints appear here."
                : "Requests and predictions that name this pair in their metadata appear here, with their deliveries."
            }
            action={
              span.value !== "30d" && (
                <LinkButton href={switchTo("30d", onlyFailures)}>Show 30 days</LinkButton>
              )
            }
          />
        ) : (
          <History entries={entries} isWhole={isWhole} />
        )}
      </Section>
    </>
  );
});

const dayMs = 86_400_000;

/** A time in RFC 3339, to the minute, so that links stay equal for a while. */
function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}:00Z`;
}

function showWord(onlyFailures: boolean): string {
  return onlyFailures ? "Failures" : "All";
}

/** How many rows of each list are read for the history. */
const rowsRead = 30;

const nothing = { data: [], has_more: false };

interface Box {
  label: string;
  count: Counted | undefined;
  /** How many of them failed, and the word for it. */
  failed: Counted;
  word: string;
  href: string;
  /** Shown instead of the count. */
  value?: ReactNode;
}

type Since = { created_after: string };

/** Everything with a pair of metadata, as far as the reader may see it. */
async function readByPair(pair: string, time: Since, today: string) {
  const query = { metadata: pair, ...time, limit: rowsRead, count: true } as const;
  const value = pair.slice(pair.indexOf("=") + 1);
  const [requests, refused, broken, predictions, failed, ofDeliveries, usage, endpoints] = await Promise.all([
    requestRoute("GET /requests", { query }),
    requestRoute("GET /requests", { query: { ...query, status_class: "4xx" } }),
    requestRoute("GET /requests", { query: { ...query, status_class: "5xx" } }),
    requestRoute("GET /predictions", { query: { ...query, view: "summary" } }),
    requestRoute("GET /predictions", { query: { ...query, view: "summary", status: "failed" } }),
    readDeliveries({ metadata: pair, ...time }),
    requestRoute("GET /usage", {
      query: { metadata: pair, from: time.created_after.slice(0, 10), to: today, group_by: "model" },
    }),
    readEndpoints(value),
  ]);
  const link = `${new URLSearchParams({ metadata: pair, ...time })}`;
  const failedRequests = together([refused, broken]);
  const boxes: Box[] = [];
  if (requests.ok)
    boxes.push({
      ...{ label: "Requests", count: requests.data.total, href: `/requests?${link}` },
      ...{ failed: sumOf([refused, broken]), word: "failed" },
    });
  if (predictions.ok)
    boxes.push({
      ...{ label: "Predictions", count: predictions.data.total, href: `/predictions?${link}` },
      ...{ failed: sumOf([failed]), word: "failed" },
    });
  if (ofDeliveries.all.ok) boxes.push(deliveriesBox(ofDeliveries, `/webhooks/deliveries?${link}`));
  if (usage.ok)
    boxes.push({
      ...{ label: "Cost", count: undefined, failed: none, word: "" },
      value: <Money {...usage.data.total.cost} />,
      href: `/usage?${new URLSearchParams({ metadata: pair, from: time.created_after.slice(0, 10), to: today })}`,
    });
  else if (usage.error.param === "metadata")
    boxes.push({
      ...{ label: "Cost", count: undefined, failed: none, word: "", href: "/settings" },
      value: <span className="text-table font-normal text-muted">Sum usage by this key in Settings</span>,
    });
  return {
    boxes,
    endpoints,
    pairs: [],
    failures: failuresOf([requests, predictions, ofDeliveries.all]),
    all: {
      requests: listOf(requests),
      predictions: listOf(predictions),
      deliveries: listOf(ofDeliveries.all),
    },
    failed: { requests: failedRequests, predictions: listOf(failed), deliveries: ofDeliveries.missed },
  };
}

/** Deliveries of at most this many endpoints are read for a description. */
const maxEndpointsRead = 3;

/** The endpoints with a description, their deliveries, and the pairs of metadata that it names. */
async function readByDescription(description: string, time: Since) {
  const endpoints = await readEndpoints(description);
  const some = (endpoints ?? []).slice(0, maxEndpointsRead);
  const [each, known] = await Promise.all([
    Promise.all(some.map(({ id }) => readDeliveries({ endpoint_id: id, ...time }))),
    requestRoute("GET /usage/metadata", { query: { from: time.created_after.slice(0, 10) } }),
  ]);
  const boxes = each.map((deliveries, at) => ({
    ...deliveriesBox(
      deliveries,
      `/webhooks/deliveries?${new URLSearchParams({ endpoint_id: some[at]?.id ?? "", ...time })}`,
    ),
    label: some.length > 1 ? `Deliveries to ${shortAddress(some[at]?.url ?? "", 32).text}` : "Deliveries",
  }));
  const asEndpoint = { description, url: "" };
  const pairs = known.ok
    ? known.data.data.flatMap(({ key, value }) =>
        value !== null && namesValue(asEndpoint, value) ? [`${key}=${value}`] : [],
      )
    : [];
  return {
    boxes,
    endpoints,
    pairs: [...new Set(pairs)],
    failures: failuresOf(each.map(({ all }) => all)),
    all: { requests: nothing, predictions: nothing, deliveries: together(each.map(({ all }) => all)) },
    failed: {
      requests: nothing,
      predictions: nothing,
      deliveries: together(each.flatMap(({ states }) => states)),
    },
  };
}

/** The states of deliveries whose event has not arrived. */
const missedStates = ["failed", "dead-letter", "waiting"] as const;

async function readDeliveries(filter: Since & { metadata?: string; endpoint_id?: string }) {
  const query = { ...filter, limit: rowsRead, count: true };
  const [all, ...states] = await Promise.all([
    requestRoute("GET /webhooks/deliveries", { query }),
    ...missedStates.map((status) =>
      requestRoute("GET /webhooks/deliveries", {
        query: { ...query, status, ...(status !== "waiting" && { retried: false }) },
      }),
    ),
  ]);
  return { all, states, missed: together(states) };
}

function deliveriesBox({ all, states }: Awaited<ReturnType<typeof readDeliveries>>, href: string): Box {
  const count = all.ok ? all.data.total : undefined;
  return { label: "Deliveries", count, failed: sumOf(states), word: "not delivered", href };
}

/** At most this many endpoints are read to find those that name the value. */
const maxEndpoints = 100;

/** The endpoints that name this value. Null if the reader may not see endpoints. */
async function readEndpoints(value: string): Promise<Endpoint[] | null> {
  const search = value.slice(0, 100);
  const answer = await requestRoute("GET /webhooks/endpoints", { query: { search, limit: maxEndpoints } });
  return answer.ok ? answer.data.data.filter((endpoint) => namesValue(endpoint, value)) : null;
}

const none: Counted = { count: 0, more: false };

function listOf<Row>(answer: GatewayResult<List<Row>>): Pick<List<Row>, "data" | "has_more"> {
  return answer.ok ? answer.data : nothing;
}

/** Several parts of a list as one, newest first. */
function together<Row extends { id: string }>(answers: readonly GatewayResult<List<Row>>[]) {
  const data = answers.flatMap((answer) => listOf(answer).data);
  return {
    data: data.toSorted((one, other) => (one.id < other.id ? 1 : -1)),
    has_more: answers.some((answer) => listOf(answer).has_more),
  };
}

function sumOf(answers: readonly GatewayResult<List<unknown>>[]): Counted {
  const totals = answers.flatMap((answer) => (answer.ok && answer.data.total) || []);
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    more: totals.some(({ more }) => more),
  };
}

/** The failures that the reader must know about; what a role may not see is left out without words. */
function failuresOf(answers: readonly GatewayResult<unknown>[]): GatewayFailure[] {
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
  const told = failures.filter(({ status, code }) => status !== 403 && code !== "route_not_found");
  return [...new Map(told.map((failure) => [failure.code, failure])).values()];
}

interface ChoicesProps {
  options: readonly { label: string; href: string }[];
  chosen: string;
}

function Choices({ options, chosen }: ChoicesProps) {
  return (
    <span className="flex flex-wrap gap-1">
      {options.map(({ label, href }) => (
        <LinkButton
          key={label}
          size="sm"
          variant={label === chosen ? "secondary" : "ghost"}
          aria-current={label === chosen ? "true" : undefined}
          href={href}
        >
          {label}
        </LinkButton>
      ))}
    </span>
  );
}

function CountBox({ label, count, failed, word, href, value }: Box) {
  return (
    <li className="bg-panel">
      <Link
        href={href}
        className="flex h-full flex-col px-3 py-2 hover:bg-sunken focus-visible:-outline-offset-2!"
      >
        <span className="tabular text-title font-semibold">{value ?? (count ? countText(count) : "–")}</span>
        <span className="text-table">
          {label}
          {failed.count > 0 && (
            <span className="text-bad">
              {" "}
              · {countText(failed)} {word}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

function countText({ count, more }: Counted): string {
  return `${formatNumber(count)}${more ? "+" : ""}`;
}

/** How many endpoints are shown. */
const endpointsShown = 5;

function Endpoints({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const others = endpoints.length - endpointsShown;
  return (
    <Section title="Endpoints" description="Their description or address has this name.">
      <ul className="divide-y rounded-panel border bg-panel">
        {endpoints.slice(0, endpointsShown).map((endpoint) => {
          const { id, description, url } = endpoint;
          const look = endpointLookOf(endpoint);
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-table">
              <Link
                href={`/webhooks/endpoints/${id}`}
                className="min-w-0 flex-1 basis-60 truncate font-medium"
              >
                {description ?? shortAddress(url, 48).text}
                {description && (
                  <span className="ml-2 font-normal text-muted">{shortAddress(url, 48).text}</span>
                )}
              </Link>
              <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              <Link
                href={`/webhooks/deliveries?endpoint_id=${id}`}
                className="text-accent underline underline-offset-2"
              >
                Deliveries
              </Link>
            </li>
          );
        })}
      </ul>
      {others > 0 && <p className="mt-1 text-table text-muted">and {formatCount(others, "more endpoint")}</p>}
    </Section>
  );
}

/** Requests, predictions and deliveries in one table, newest first. */
function History({ entries, isWhole }: { entries: readonly Entry[]; isWhole: boolean }) {
  return (
    <>
      <Table label="History">
        <thead>
          <tr>
            <Th>When</Th>
            <Th>What</Th>
            <Th>Status</Th>
            <Th>Why</Th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, href, kind, title, of, look, reason, at }) => (
            <Tr key={id}>
              <Td className="whitespace-nowrap" label="When">
                <Time value={at} />
              </Td>
              <Td className="max-w-96">
                <RowLink href={href} className="flex min-w-0 items-center gap-2">
                  <Badge>{kind}</Badge>
                  <span className="min-w-0 truncate">{title}</span>
                </RowLink>
                {of && of !== title && (
                  <span className="block truncate font-mono text-meta text-muted">{of}</span>
                )}
              </Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
              <Td className="text-muted wrap-anywhere" label="Why">
                {reason ?? <span className="text-faint">–</span>}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {!isWhole && (
        <p className="mt-2 text-table text-muted">
          Older entries are in the lists that the counts above open.
        </p>
      )}
    </>
  );
}
