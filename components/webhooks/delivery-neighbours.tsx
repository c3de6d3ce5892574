"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import type { List } from "#contract/list.ts";
import type { Delivery } from "#contract/webhook.ts";
import { LinkButton } from "@/components/ui/button";
import { useShortcuts } from "@/components/ui/use-shortcuts";
import { callGateway } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { type DeliveryView, filterOf, viewSearch } from "@/lib/webhooks/delivery-view";

const staleMs = 60_000;

/** The newer and the older delivery of the filtered log, also by K and J. */
export function DeliveryNeighbours({ id, view }: { id: string; view: DeliveryView }) {
  const router = useRouter();
  const search = viewSearch(view);
  const newer = useNeighbour(id, view, "before");
  const older = useNeighbour(id, view, "after");
  const hrefOf = (to: string) => `/webhooks/deliveries/${to}${search}`;
  const go = (to: string | null) => to !== null && router.push(hrefOf(to));
  useShortcuts({ k: () => go(newer), j: () => go(older) });
  const step = (to: string | null, label: string, icon: ReactNode) =>
    to !== null && (
      <LinkButton variant="ghost" href={hrefOf(to)} aria-label={label} title={label} icon={icon} />
    );
  if (newer === null && older === null) return null;
  return (
    <nav aria-label="Neighbours in the log" className="flex gap-1">
      {step(newer, "Newer delivery (K)", <ChevronUp size={16} aria-hidden />)}
      {step(older, "Older delivery (J)", <ChevronDown size={16} aria-hidden />)}
    </nav>
  );
}

function useNeighbour(id: string, view: DeliveryView, side: "before" | "after"): string | null {
  const { data } = useQuery({
    queryKey: queryKeys.deliveries({ neighbour: side, id, search: viewSearch(view) }),
    queryFn: async ({ signal }) => {
      const query = { ...filterOf(view, Date.now()), [side]: id, limit: 1 };
      const answer = await callGateway<List<Delivery>>("/webhooks/deliveries", { query, signal });
      return answer.ok ? (answer.data.data[0]?.id ?? null) : null;
    },
    staleTime: staleMs,
  });
  return data ?? null;
}
