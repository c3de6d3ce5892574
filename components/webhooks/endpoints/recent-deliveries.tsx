"use client";

import { useQuery } from "@tanstack/react-query";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { useWords } from "#words";
import { LinkButton } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Section } from "@/components/ui/page/section";
import { DeliveryTable } from "@/components/webhooks/deliveries/delivery-table";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import type { GatewayResult } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { isDeliveryLive } from "@/lib/status/delivery";

interface RecentDeliveriesProps {
  endpointId: string;
  initial: GatewayResult<List<Delivery>>;
}

const shownRows = 10;
const livePollMs = 2000;
const idlePollMs = 15_000;

/** The endpoint's last deliveries, updated while the page is visible. */
export function RecentDeliveries({ endpointId, initial }: RecentDeliveriesProps) {
  const t = useWords("webhooks");
  const query = { endpoint_id: endpointId, limit: shownRows };
  const {
    data: deliveries,
    error,
    refetch,
  } = useQuery({
    queryKey: queryKeys.deliveries(query),
    queryFn: ({ signal }) => fetchRoute("GET /webhooks/deliveries", { query, signal }),
    ...(initial.ok && { initialData: initial.data }),
    refetchInterval: ({ state }) => (state.data?.data.some(isDeliveryLive) ? livePollMs : idlePollMs),
  });
  const failure = failureBehind(error) ?? (initial.ok || deliveries ? null : initial.error);
  const href = `/webhooks/deliveries?endpoint_id=${encodeURIComponent(endpointId)}`;
  return (
    <Section
      title={t("recentDeliveries")}
      actions={
        <LinkButton size="sm" href={href}>
          {t("allDeliveries")}
        </LinkButton>
      }
    >
      {failure && (
        <div className="mb-3">
          <ErrorPanel error={failure} onRetry={() => refetch()} />
        </div>
      )}
      {deliveries?.data.length === 0 && (
        <p className="rounded-panel border border-dashed p-6 text-center text-muted">
          {t("noDeliveriesYetSendA")}
        </p>
      )}
      {deliveries && deliveries.data.length > 0 && (
        <DeliveryTable
          label={t("recentDeliveriesOfThisEndpoint")}
          showsEndpoint={false}
          buttonsInWords
          deliveries={deliveries.data}
          search={`?endpoint_id=${encodeURIComponent(endpointId)}`}
          onQueued={() => refetch()}
        />
      )}
    </Section>
  );
}
