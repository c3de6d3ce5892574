"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { deliveryErrorCodes, eventTypes } from "#contract/webhook-constants.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { ExportButton } from "@/components/ui/list/export-button";
import { asOptions, type FilteredList, ListFilters } from "@/components/ui/list/list-filters";
import { LiveRows, useLiveList } from "@/components/ui/list/live-list";
import { MetadataFilter } from "@/components/ui/list/text-filter";
import { useDayCount } from "@/components/ui/list/use-day-count";
import { ViewsButton } from "@/components/ui/list/views-button";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";
import { useAsked } from "@/components/ui/page/use-asked";
import { AttemptsChart } from "@/components/webhooks/deliveries/attempts-chart";
import { DeliveryTable } from "@/components/webhooks/deliveries/delivery-table";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { deliveryOptions } from "@/lib/status/delivery";
import { endpointAddress } from "@/lib/webhooks/addresses";
import type { BulkSelection } from "@/lib/webhooks/bulk-retry";
import {
  canRetryMatching,
  type DeliveryFilterName,
  type DeliveryView,
  deliveryList,
  retriedSince,
} from "@/lib/webhooks/delivery-view";
import { errorLabel } from "@/lib/webhooks/error-labels";
import type { Words } from "@/messages/words";

const BulkRetryDialog = dynamic(
  () => import("@/components/webhooks/deliveries/bulk-retry-dialog").then((module) => module.BulkRetryDialog),
  { ssr: false },
);

const SelectionBar = dynamic(
  () => import("@/components/ui/list/selection-bar").then((module) => module.SelectionBar),
  {
    ssr: false,
  },
);

const NoDeliveries = dynamic(
  () => import("@/components/webhooks/deliveries/list-parts").then((module) => module.NoDeliveries),
  {
    loading: () => null,
  },
);

interface DeliveriesClientProps {
  initial: {
    query: ReturnType<typeof deliveryList.queryOf>;
    list: List<Delivery> | GatewayFailure;
  };
  /** Null if the gateway cannot list endpoints. */
  endpoints: { id: string; url: string; description: string | null }[] | null;
}

const livePollMs = 3000;

/** The live log of all deliveries; its filters are in the address. */
export function DeliveriesClient({ initial, endpoints }: DeliveriesClientProps) {
  const t = useWords("webhooks");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<BulkSelection | null>(null);
  const { may } = useAccess();
  const deliveries = useLiveList({
    list: deliveryList,
    initial,
    queryKey: queryKeys.deliveries,
    read: (query, signal) => fetchRoute("GET /webhooks/deliveries", { query, signal }),
    everyMs: () => livePollMs,
    isBusy: selected.size > 0,
  });
  const { view, active, list, failure, rows, live, refresh } = deliveries;
  const isDayOfStatus = view.since === "24h" && view.status !== "" && active === 2;
  const total = useDayCount("deliveries", isDayOfStatus ? view.status : null);
  const change = (next: Partial<DeliveryView>) => {
    setSelected(new Set());
    deliveries.change(next);
  };
  const clear = () => change(deliveryList.empty);
  const retryAll =
    may("deliveries:retry") &&
    list &&
    canRetryMatching(view, list) &&
    (() => setBulk({ filter: deliveryList.filterOf(view, Date.now()) }));
  useAsked("retry", retryAll || false);

  return (
    <>
      <PageHeader
        log
        title={t("deliveries")}
        description={t("eventsSentToYourEndpoints")}
        actions={<LiveSwitch {...live} />}
      />
      <DeliveryFilters
        list={{ view, change, clear, active }}
        endpoints={endpoints}
        summary={total ?? ""}
        onRetryAll={retryAll || null}
      />
      {/* An empty list already shows that there are no deliveries, so the chart is left out. */}
      {rows.length > 0 && (
        <AttemptsChart
          view={view}
          onNarrow={(created_after, created_before) => change({ since: "", created_after, created_before })}
        />
      )}
      <LiveRows list={deliveries} total={{ route: "GET /webhooks/deliveries", noun: "delivery" }}>
        {!list && !failure && <Skeleton className="h-96 w-full" />}
        {list && rows.length === 0 && <NoDeliveries filtered={active > 0} onClear={clear} />}
        {selected.size > 0 && (
          <SelectionBar count={selected.size} noun="delivery" onClear={() => setSelected(new Set())}>
            <Button size="sm" onClick={() => setBulk({ ids: [...selected] })}>
              {t("retrySelected")}
            </Button>
          </SelectionBar>
        )}
        {rows.length > 0 && (
          <DeliveryTable
            label={t("deliveries")}
            deliveries={rows}
            search={deliveryList.searchOf(view)}
            {...(may("deliveries:retry") && { selection: { ids: selected, set: setSelected } })}
            onQueued={refresh}
          />
        )}
      </LiveRows>
      {bulk && (
        <BulkRetryDialog
          selection={bulk}
          onClose={() => {
            setBulk(null);
            setSelected(new Set());
            refresh();
          }}
        />
      )}
    </>
  );
}

const FilterChips = dynamic(
  () => import("@/components/webhooks/deliveries/list-parts").then((module) => module.FilterChips),
  {
    loading: () => null,
  },
);

interface DeliveryFiltersProps {
  list: FilteredList<DeliveryFilterName>;
  endpoints: { id: string; url: string; description: string | null }[] | null;
  /** Null: no matching delivery can be retried. */
  onRetryAll: (() => void) | null;
  /** The number of matching deliveries as text. Empty if not counted. */
  summary: string;
}

const statusOptions = (t: Words<"webhooks">, states: Words<"states">) => [
  ...deliveryOptions(states),
  { value: retriedSince, label: t("retriedSince") },
];

/** One filter for the result: a class of responses, or the reason why there was none. */
const resultGroups = (t: Words<"webhooks">) => [
  {
    label: t("response"),
    options: [
      { value: "2xx", label: t("accepted2xx") },
      { value: "3xx", label: t("redirect3xx") },
      { value: "4xx", label: t("rejected4xx") },
      { value: "5xx", label: t("failed5xx") },
    ],
  },
  {
    label: t("error"),
    options: deliveryErrorCodes.map((value) => ({ value, label: errorLabel(t, value) })),
  },
];

/** The log's filters and actions in one row. Filters by id are shown as chips below. */
function DeliveryFilters({ list, endpoints, onRetryAll, summary }: DeliveryFiltersProps) {
  const t = useWords("webhooks");
  const states = useWords("states");
  const { view, change } = list;
  return (
    <>
      <ListFilters
        list={list}
        summary={summary}
        selects={[
          { name: "status", label: t("status"), any: t("anyStatus"), options: statusOptions(t, states) },
          endpoints !== null && {
            name: "endpoint_id",
            label: t("endpoint"),
            any: t("anyEndpoint"),
            options: endpoints.map(({ id, url, description }) => ({
              value: id,
              label: description ? `${description} · ${endpointAddress(url)}` : endpointAddress(url),
            })),
          },
          { name: "event_type", label: t("eventType"), any: t("anyEvent"), options: asOptions(eventTypes) },
          {
            name: "error_code",
            label: t("response"),
            any: t("anyResponse"),
            groups: resultGroups(t),
            or: { name: "status_class", takes: (value) => /^\dxx$/.test(value) },
          },
        ]}
        before={<Search onFind={change} />}
        actions={
          <>
            {onRetryAll && <Button onClick={onRetryAll}>{t("retryAllMatching")}</Button>}
            <ViewsButton list="deliveries" search={deliveryList.searchOf(view)} />
            <ExportButton
              route="webhooks/deliveries"
              filterAt={(nowMs) => deliveryList.filterOf(view, nowMs)}
            />
          </>
        }
      >
        <MetadataFilter value={view.metadata} onChange={(metadata) => change({ metadata })} />
      </ListFilters>
      {(view.id || view.event_id || view.prediction_id) && <FilterChips view={view} onChange={change} />}
    </>
  );
}

/**
 * Accepts the id of a delivery, event, prediction or endpoint, or a pair such as `customer=umbrella`, and
 * makes it a filter.
 */
function Search({ onFind }: { onFind: (next: Partial<DeliveryView>) => void }) {
  const t = useWords("webhooks");
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(false);

  const find = async () => {
    // Only a search needs them.
    const [{ pairIn }, { idFilter }] = await Promise.all([
      import("#contract/metadata.ts"),
      import("@/lib/webhooks/id-filter"),
    ]);
    const pair = pairIn(text);
    const found = pair ? { name: "metadata", value: pair } : idFilter(text);
    setRefused(found === null && text.trim() !== "");
    if (!found) return;
    setText("");
    onFind({ [found.name]: found.value });
  };
  return (
    <form
      className="relative w-32 max-w-full max-tablet:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <Input
        type="search"
        aria-label={t("searchByIdOfA")}
        aria-invalid={refused || undefined}
        placeholder={t("searchById")}
        title={t("pasteAnIdDlvEvt")}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRefused(false);
        }}
      />
      <span role="status">
        {refused && (
          <span className="absolute top-full left-0 z-10 mt-1 rounded-control border border-bad bg-raised px-2 py-1 text-meta whitespace-nowrap text-bad shadow-float">
            {t("enterAnIdThatStarts")}
          </span>
        )}
      </span>
    </form>
  );
}
