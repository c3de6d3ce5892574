"use client";

import { useQuery } from "@tanstack/react-query";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Section } from "@/components/ui/section";
import { callGateway } from "@/lib/browser/gateway";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { isDeliveryLive } from "@/lib/timeline/delivery-row";
import { DeliveryTable } from "./delivery-table.tsx";

interface RecentDeliveriesProps {
  endpointId: string;
  initial: GatewayResult<List<Delivery>>;
}

const shownRows = 10;
const livePollMs = 2000;
const idlePollMs = 15_000;

/** The endpoint's last deliveries, kept up to date while the page is seen. */
export function RecentDeliveries({ endpointId, initial }: RecentDeliveriesProps) {
  const query = { endpoint_id: endpointId, limit: shownRows };
  const { data: deliveries, refetch } = useQuery({
    queryKey: queryKeys.deliveries(query),
    queryFn: ({ signal }) => callGateway<List<Delivery>>("/webhooks/deliveries", { query, signal }),
    initialData: initial,
    refetchInterval: ({ state }) =>
      state.data?.ok && state.data.data.data.some(isDeliveryLive) ? livePollMs : idlePollMs,
  });
  const href = `/webhooks/deliveries?endpoint_id=${encodeURIComponent(endpointId)}`;
  return (
    <Section
      title="Recent deliveries"
      actions={
        <LinkButton size="sm" href={href}>
          All deliveries
        </LinkButton>
      }
    >
      {!deliveries.ok ? (
        <ErrorPanel error={deliveries.error} onRetry={() => refetch()} />
      ) : deliveries.data.data.length === 0 ? (
        <p className="rounded-panel border border-dashed p-6 text-center text-muted">
          Nothing was sent yet. Send a test event to see how it arrives.
        </p>
      ) : (
        <DeliveryTable
          label="Recent deliveries of this endpoint"
          deliveries={deliveries.data.data}
          search={`?endpoint_id=${encodeURIComponent(endpointId)}`}
          onQueued={() => refetch()}
        />
      )}
    </Section>
  );
}
