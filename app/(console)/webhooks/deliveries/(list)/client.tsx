"use client";

import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { useAccess } from "@/components/team/access";
import { LiveSwitch } from "@/components/ui/list/live-switch";
import { Pager } from "@/components/ui/list/pager";
import { useDayCount } from "@/components/ui/list/use-day-count";
import { useListView } from "@/components/ui/list/use-list-view";
import { useLiveList } from "@/components/ui/list/use-live-list";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";
import { DeliveryFilters } from "@/components/webhooks/deliveries/delivery-filters";
import { DeliveryTable } from "@/components/webhooks/deliveries/delivery-table";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import type { BulkSelection } from "@/lib/webhooks/bulk-run";
import { canRetryMatching, type DeliveryView, deliveryList } from "@/lib/webhooks/delivery-view";

const BulkRetryDialog = dynamic(
  () => import("@/components/webhooks/deliveries/bulk-retry-dialog").then((module) => module.BulkRetryDialog),
  { ssr: false },
);

const NewRows = dynamic(() => import("@/components/ui/list/new-rows").then((module) => module.NewRows), {
  ssr: false,
});

interface DeliveriesClientProps {
  initial: {
    query: ReturnType<typeof deliveryList.queryOf>;
    deliveries: GatewayResult<List<Delivery>>;
  };
  /** Null if the gateway cannot list endpoints. */
  endpoints: { id: string; url: string; description: string | null }[] | null;
}

const livePollMs = 3000;

/** The live log of all deliveries; its filters are in the address. */
export function DeliveriesClient({ initial, endpoints }: DeliveriesClientProps) {
  const { view, change: setView, active } = useListView(deliveryList);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<BulkSelection | null>(null);
  const results = useRef<HTMLDivElement>(null);
  const { may } = useAccess();
  const query = deliveryList.queryOf(view, Date.now());
  const { deliveries: first } = initial;
  const { list, failure, isOld, live, waiting, release, refresh } = useLiveList({
    query,
    queryKey: queryKeys.deliveries(query),
    read: (signal) => fetchRoute("GET /webhooks/deliveries", { query, signal }),
    initial: { query: initial.query, list: first.ok ? first.data : undefined },
    scope: JSON.stringify(view),
    isNewest: !view.after && !view.before,
    everyMs: () => livePollMs,
    container: results,
    isBusy: selected.size > 0,
  });
  const isDayOfStatus = view.since === "24h" && view.status !== "" && active === 2;
  const total = useDayCount("deliveries", isDayOfStatus ? view.status : null);
  const change = (next: Partial<DeliveryView>) => {
    setSelected(new Set());
    setView(next);
  };
  const clear = () => change(deliveryList.empty);

  return (
    <>
      <PageHeader
        log
        title="Deliveries"
        description="Events sent to your endpoints, with every attempt."
        actions={<LiveSwitch {...live} />}
      />
      <DeliveryFilters
        list={{ view, change, clear, active }}
        endpoints={endpoints}
        summary={total ?? ""}
        onRetryAll={
          may("deliveries:retry") && list && canRetryMatching(view, list)
            ? () => setBulk({ filter: deliveryList.filterOf(view, Date.now()) })
            : null
        }
      />
      <div role="status" className="contents">
        {waiting > 0 && <NewRows count={waiting} container={results} onShow={release} />}
      </div>
      <div ref={results} aria-busy={isOld}>
        <DeliveryResults
          deliveries={list}
          failure={failure ?? (list || first.ok ? null : first.error)}
          view={view}
          selected={selected}
          onSelect={setSelected}
          onRetrySelected={() => setBulk({ ids: [...selected] })}
          onClear={clear}
          onRefresh={refresh}
        />
      </div>
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

const SelectionBar = dynamic(
  () => import("@/components/webhooks/deliveries/selection-bar").then((module) => module.SelectionBar),
  {
    ssr: false,
  },
);
const NoDeliveries = dynamic(
  () => import("@/components/webhooks/deliveries/no-deliveries").then((module) => module.NoDeliveries),
  {
    loading: () => null,
  },
);

interface DeliveryResultsProps {
  deliveries: List<Delivery> | undefined;
  /** Failure of the last read; the rows read before stay visible below it. */
  failure: GatewayFailure | null;
  view: DeliveryView;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onRetrySelected: () => void;
  onClear: () => void;
  onRefresh: () => void;
}

function DeliveryResults({ deliveries, failure, ...rest }: DeliveryResultsProps) {
  return (
    <>
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} onRetry={rest.onRefresh} />
        </div>
      )}
      {deliveries ? (
        <Rows deliveries={deliveries} {...rest} />
      ) : (
        !failure && <Skeleton className="h-96 w-full" />
      )}
    </>
  );
}

type RowsProps = Omit<DeliveryResultsProps, "deliveries" | "failure"> & { deliveries: List<Delivery> };

function Rows({ deliveries, view, selected, onSelect, ...on }: RowsProps) {
  const { may } = useAccess();
  const { data } = deliveries;
  if (data.length === 0)
    return <NoDeliveries filtered={deliveryList.countOf(view) > 0} onClear={on.onClear} />;
  return (
    <>
      {selected.size > 0 && (
        <SelectionBar
          count={selected.size}
          onRetry={on.onRetrySelected}
          onClear={() => onSelect(new Set())}
        />
      )}
      <DeliveryTable
        label="Deliveries"
        deliveries={data}
        search={deliveryList.searchOf(view)}
        {...(may("deliveries:retry") && { selection: { ids: selected, set: onSelect } })}
        onQueued={on.onRefresh}
      />
      <Pager
        list={deliveries}
        total={{
          route: "GET /webhooks/deliveries",
          query: deliveryList.filterOf(view, Date.now()),
          noun: "delivery",
          plural: "deliveries",
        }}
      />
    </>
  );
}
