"use client";

import { RotateCw } from "lucide-react";
import dynamic from "next/dynamic";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Pager } from "@/components/ui/pager";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import { countFilters, type DeliveryView } from "@/lib/webhooks/delivery-view";
import { DeliveryTable } from "./delivery-table.tsx";

const NoDeliveries = dynamic(() => import("./no-deliveries.tsx").then((module) => module.NoDeliveries));

interface DeliveryResultsProps {
  answer: GatewayResult<List<Delivery>> | undefined;
  view: DeliveryView;
  search: string;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onRetrySelected: () => void;
  onClear: () => void;
  onRefresh: () => void;
}

/** The log's page in whichever state it is. */
export function DeliveryResults({ answer, view, search, selected, onSelect, ...on }: DeliveryResultsProps) {
  if (answer === undefined) return <Skeleton className="h-96 w-full" />;
  if (!answer.ok) return <ErrorPanel error={answer.error} onRetry={on.onRefresh} />;
  const { data, has_more, first_id, last_id } = answer.data;
  if (data.length === 0) return <NoDeliveries filtered={countFilters(view) > 0} onClear={on.onClear} />;
  return (
    <>
      {selected.size > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-2 rounded-control bg-accent-soft px-3 py-1.5">
          <span role="status" className="mr-auto text-table text-ink">
            {formatCount(selected.size, "delivery", "deliveries")} selected
          </span>
          <Button size="sm" icon={<RotateCw size={14} aria-hidden />} onClick={on.onRetrySelected}>
            Send selected again…
          </Button>
          <Button size="sm" variant="ghost" onClick={() => onSelect(new Set())}>
            Clear selection
          </Button>
        </div>
      )}
      <DeliveryTable
        label="Deliveries"
        deliveries={data}
        search={search}
        selection={{ ids: selected, set: onSelect }}
        onQueued={on.onRefresh}
      />
      <Pager hasMore={has_more} first={first_id} last={last_id} count={data.length} />
    </>
  );
}
