"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { useAccess } from "@/components/team/access";
import { LiveSwitch } from "@/components/ui/live-switch";
import { PageHeader } from "@/components/ui/page-header";
import { useDayCount } from "@/components/ui/use-day-count";
import { useHeldList } from "@/components/ui/use-held-list";
import { DeliveryFilters } from "@/components/webhooks/delivery-filters";
import { DeliveryResults } from "@/components/webhooks/delivery-results";
import { useRowKeys } from "@/components/webhooks/use-row-keys";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import type { BulkSelection } from "@/lib/webhooks/bulk-run";
import {
  canRetryMatching,
  countFilters,
  emptyView,
  filterOf,
  queryOf,
  viewSearch,
} from "@/lib/webhooks/delivery-view";
import { deliverySearch } from "../search-params";

const BulkRetryDialog = dynamic(
  () => import("@/components/webhooks/bulk-retry-dialog").then((module) => module.BulkRetryDialog),
  { ssr: false },
);

const NewRows = dynamic(() => import("@/components/ui/new-rows").then((module) => module.NewRows), {
  ssr: false,
});

interface DeliveriesClientProps {
  initial: { query: ReturnType<typeof queryOf>; deliveries: GatewayResult<List<Delivery>> };
  /** Null when the gateway cannot list them. */
  endpoints: { id: string; url: string }[] | null;
}

const livePollMs = 3000;

/** The log of everything that was sent, live, with its filters in the URL. */
export function DeliveriesClient({ initial, endpoints }: DeliveriesClientProps) {
  const [view, setView] = useQueryStates(deliverySearch, { history: "push", shallow: true });
  const [paused, setPaused] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<BulkSelection | null>(null);
  const results = useRef<HTMLDivElement>(null);
  const { may } = useAccess();
  useRowKeys(results);

  const query = queryOf(view, Date.now());
  const isInitial = JSON.stringify(query) === JSON.stringify(initial.query);
  const answer = useQuery({
    queryKey: queryKeys.deliveries(query),
    queryFn: ({ signal }) => fetchRoute("GET /webhooks/deliveries", { query, signal }),
    ...(isInitial && initial.deliveries.ok && { initialData: initial.deliveries.data }),
    placeholderData: (previous) => previous,
    refetchInterval: paused ? false : livePollMs,
  });

  const isDayOfStatus = view.since === "24h" && view.status !== "" && countFilters(view) === 2;
  const total = useDayCount("deliveries", isDayOfStatus ? view.status : null);
  const isNewest = !view.after && !view.before;
  const held = useHeldList({
    list: answer.isPlaceholderData ? undefined : answer.data,
    updatedAtMs: answer.dataUpdatedAt,
    scope: viewSearch(view) + view.after + view.before,
    container: results,
    isBusy: selected.size > 0,
  });
  const refresh = () => {
    held.release();
    void answer.refetch();
  };

  const unread = isInitial && !initial.deliveries.ok && !answer.data ? initial.deliveries.error : null;

  const change = (next: Partial<typeof view>) => {
    setSelected(new Set());
    setView({ ...next, after: null, before: null });
  };

  return (
    <>
      <PageHeader
        log
        title="Deliveries"
        description="Events sent to your endpoints, with every attempt."
        actions={<LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={answer.dataUpdatedAt} />}
      />
      <DeliveryFilters
        view={view}
        endpoints={endpoints}
        summary={total ?? ""}
        onChange={change}
        onClear={() => change(emptyView)}
        onRetryAll={
          may("deliveries:retry") && answer.data && canRetryMatching(view, answer.data)
            ? () => setBulk({ filter: filterOf(view, Date.now()) })
            : null
        }
      />
      <div role="status" className="contents">
        {isNewest && held.waiting > 0 && (
          <NewRows count={held.waiting} container={results} onShow={held.release} />
        )}
      </div>
      <div ref={results} aria-busy={answer.isPlaceholderData}>
        <DeliveryResults
          deliveries={(isNewest && held.list) || answer.data}
          failure={failureBehind(answer.error) ?? unread}
          view={view}
          search={viewSearch(view)}
          selected={selected}
          onSelect={setSelected}
          onRetrySelected={() => setBulk({ ids: [...selected] })}
          onClear={() => change(emptyView)}
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
