import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { getKeyNames } from "@/lib/server/gateway/key-names";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { utcDay } from "@/lib/usage/summary";
import { UsageClient } from "./client";
import { usageSearch } from "./search-params";

const loadSearch = createLoader(usageSearch);

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage({ searchParams }: RouteProps) {
  await requireSession();
  const { days } = await loadSearch(searchParams);
  const nowMs = Date.now();
  const span = { from: utcDay(nowMs, Number(days) - 1), to: utcDay(nowMs) };
  const [usage, byMetadata, keyNames, members] = await Promise.all([
    requestRoute("GET /usage", { query: span }),
    requestRoute("GET /usage/metadata", { query: span }),
    getKeyNames(),
    requestRoute("GET /account/members"),
  ]);
  const team = members.ok ? members.data.data : [];
  const memberNames = Object.fromEntries(team.map(({ user_id, name }) => [user_id, name]));
  return (
    <NuqsAdapter>
      <IgnoredFilters given={await searchParams} known={usageSearch} />
      <UsageClient
        usage={usage}
        byMetadata={byMetadata.ok ? byMetadata.data : null}
        span={span}
        keyNames={keyNames}
        memberNames={memberNames}
      />
    </NuqsAdapter>
  );
}
