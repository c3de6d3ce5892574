"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { pageLimit } from "#contract/list-constants.ts";
import { usePlace } from "@/components/ui/use-place";
import { callRoute } from "@/lib/browser/gateway";
import { queryKeys } from "@/lib/query-keys";
import { stoppedOf } from "@/lib/webhooks/stopped-endpoints";

/** Loaded only when needed. */
const StoppedNotice = dynamic(() => import("./stopped-notice.tsx").then((module) => module.StoppedNotice), {
  loading: () => null,
});

const askEveryMs = 60_000;

/**
 * Says on every page that the gateway stopped sending to endpoints; `initial` are their ids, so that the first page
 * has its place for it, or null where the gateway cannot list them. Put away, it stays away until another one stops.
 */
export function DisabledEndpoints({ initial }: { initial: readonly string[] | null }) {
  const { path: pathname } = usePlace();
  const [putAway, setPutAway] = useState<readonly string[]>([]);
  const { data } = useQuery({
    queryKey: queryKeys.endpoints({ stopped: true }),
    queryFn: async () => {
      const query = { limit: pageLimit.max };
      return stoppedOf(await callRoute("GET /webhooks/endpoints", { query })) ?? [];
    },
    enabled: initial !== null,
    initialData: initial ?? [],
    refetchInterval: askEveryMs,
    staleTime: askEveryMs,
  });
  const [first] = data;
  const href = data.length === 1 ? `/webhooks/endpoints/${first}` : "/webhooks/endpoints";
  // Home and the endpoints' own pages say it themselves, with more room.
  const saidElsewhere = pathname === "/" || pathname === href;
  if (first === undefined || saidElsewhere || data.every((id) => putAway.includes(id))) return null;
  return <StoppedNotice count={data.length} href={href} onPutAway={() => setPutAway(data)} />;
}
