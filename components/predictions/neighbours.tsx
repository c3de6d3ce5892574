"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useRouter } from "next/navigation";
import type { List } from "#contract/list.ts";
import type { Prediction } from "#contract/prediction.ts";
import { LinkButton } from "@/components/ui/button";
import { useShortcuts } from "@/components/ui/use-shortcuts";
import { callGateway } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { emptyFilter, filterSearch, gatewayQuery, type PredictionFilter } from "./filter.ts";
import { predictionHref } from "./links.ts";

/** Newer and older prediction of the list that the visitor came from, also by K and J. */
export function Neighbours({ id, filter }: { id: string; filter: PredictionFilter }) {
  const router = useRouter();
  const search = filterSearch(filter);
  const newer = useNeighbour(id, filter, "before");
  const older = useNeighbour(id, filter, "after");
  const go = (to: string | null) => to && router.push(predictionHref(to, search));
  useShortcuts({ k: () => go(newer), j: () => go(older) });
  if (!newer && !older) return null;
  return (
    <nav aria-label="Neighbours in the list" className="flex gap-1">
      <Step
        to={newer}
        search={search}
        label="Newer prediction (K)"
        icon={<ChevronUp size={16} aria-hidden />}
      />
      <Step
        to={older}
        search={search}
        label="Older prediction (J)"
        icon={<ChevronDown size={16} aria-hidden />}
      />
    </nav>
  );
}

interface StepProps {
  to: string | null;
  search: string;
  label: string;
  icon: React.ReactNode;
}

function Step({ to, search, label, icon }: StepProps) {
  if (!to) return null;
  return (
    <LinkButton
      variant="ghost"
      href={predictionHref(to, search)}
      aria-label={label}
      title={label}
      icon={icon}
    />
  );
}

/** The id next to this one in the filtered list; null at its end and where the gateway cannot list. */
function useNeighbour(id: string, filter: PredictionFilter, side: "before" | "after"): string | null {
  const place: PredictionFilter = { ...emptyFilter, ...filter, after: null, before: null, [side]: id };
  const { data } = useQuery({
    queryKey: queryKeys.predictions({ neighbour: side, ...place }),
    queryFn: async ({ signal }) => {
      const query = { ...gatewayQuery(place, Date.now()), limit: 1 };
      const answer = await callGateway<List<Prediction>>("/predictions", { query, signal });
      return answer.ok ? (answer.data.data[0]?.id ?? null) : null;
    },
    staleTime: 60_000,
  });
  return data ?? null;
}
