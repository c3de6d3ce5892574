"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import type { RegionList } from "#contract/catalog.ts";
import { Link } from "@/components/ui/page/link";
import { callRoute } from "@/lib/browser/gateway";
import { formatCount } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";
import { railRow } from "./rail-link.tsx";

const refreshMs = 60_000;

/** The foot of the rail: how the regions are, renewed each minute. */
export function RegionHealth() {
  const { data } = useQuery({
    queryKey: queryKeys.regions(),
    queryFn: () => callRoute("GET /regions"),
    refetchInterval: refreshMs,
    staleTime: refreshMs,
  });
  const { text, tone, Icon } = summary(data?.ok ? data.data : null, data !== undefined);
  return (
    <Link href="/regions" title={text} className={`${railRow} text-table! font-normal! hover:bg-sunken`}>
      <Icon size={16} aria-hidden className={`shrink-0 ${tone}`} />
      <span className="max-desktop:sr-only">{text}</span>
    </Link>
  );
}

function summary(regions: RegionList | null, answered: boolean) {
  if (!regions)
    return {
      text: answered ? "Region health unknown" : "Regions",
      tone: answered ? "text-warn" : "text-faint",
      Icon: CircleHelp,
    };
  const troubled = regions.data.filter((region) => region.status !== "healthy");
  if (troubled.length === 0)
    return { text: formatCount(regions.data.length, "healthy region"), tone: "text-good", Icon: CircleCheck };
  const names = troubled.map((region) => `${region.id} ${region.status}`).join(", ");
  return { text: names, tone: "text-warn", Icon: TriangleAlert };
}
