"use client";

import { useQuery } from "@tanstack/react-query";
import { RowSteps } from "@/components/ui/row-steps";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { type DeliveryView, filterOf, viewSearch } from "@/lib/webhooks/delivery-view";

const staleMs = 60_000;

/** The newer and the older delivery of the filtered log. */
export function DeliveryNeighbours({ id, view }: { id: string; view: DeliveryView }) {
  const search = viewSearch(view);
  const newer = useNeighbour(id, view, "before");
  const older = useNeighbour(id, view, "after");
  const hrefOf = (to: string | null) => to && `/webhooks/deliveries/${to}${search}`;
  return (
    <RowSteps
      noun="delivery"
      list={`/webhooks/deliveries${search}`}
      newer={hrefOf(newer)}
      older={hrefOf(older)}
    />
  );
}

function useNeighbour(id: string, view: DeliveryView, side: "before" | "after"): string | null {
  const { data } = useQuery({
    queryKey: queryKeys.deliveries({ neighbour: side, id, search: viewSearch(view) }),
    queryFn: async ({ signal }) => {
      const query = { ...filterOf(view, Date.now()), [side]: id, limit: 1 };
      const answer = await callRoute("GET /webhooks/deliveries", { query, signal });
      return answer.ok ? (answer.data.data[0]?.id ?? null) : null;
    },
    staleTime: staleMs,
  });
  return data ?? null;
}
