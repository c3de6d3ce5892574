"use client";

import dynamic from "next/dynamic";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { useAccess } from "@/components/team/access";
import { Pager } from "@/components/ui/list/pager";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import type { GatewayFailure } from "@/lib/gateway/result";
import { type DeliveryView, deliveryList } from "@/lib/webhooks/delivery-view";
import { DeliveryTable } from "./delivery-table.tsx";

const SelectionBar = dynamic(() => import("./selection-bar.tsx").then((module) => module.SelectionBar), {
  ssr: false,
});
const NoDeliveries = dynamic(() => import("./no-deliveries.tsx").then((module) => module.NoDeliveries), {
  loading: () => null,
});

interface DeliveryResultsProps {
  deliveries: List<Delivery> | undefined;
  /** Of the last read; the rows of the one before stay below it. */
  failure: GatewayFailure | null;
  view: DeliveryView;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onRetrySelected: () => void;
  onClear: () => void;
  onRefresh: () => void;
}

/** The log's page in whichever state it is. */
export function DeliveryResults({ deliveries, failure, ...rest }: DeliveryResultsProps) {
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
  const { data, has_more, first_id, last_id } = deliveries;
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
        hasMore={has_more}
        first={first_id}
        last={last_id}
        count={data.length}
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
