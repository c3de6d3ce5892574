import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { getKeyNames } from "@/lib/server/gateway/key-names";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { UsageClient } from "./client";
import { readUsage, usageSpan } from "./read-usage.ts";
import { usageSearch } from "./search-params";

const loadSearch = createLoader(usageSearch);

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage({ searchParams }: RouteProps) {
  const { accountId } = await requireSession();
  const { days } = await loadSearch(searchParams);
  const nowMs = Date.now();
  const span = usageSpan(Number(days), nowMs);
  const [usage, byMetadata, keyNames, members] = await Promise.all([
    readUsage(span, nowMs),
    requestRoute("GET /usage/metadata", { query: { from: span.from, to: span.to } }),
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
        accountId={accountId}
      />
    </NuqsAdapter>
  );
}
