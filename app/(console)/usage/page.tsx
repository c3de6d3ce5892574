import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { getKeyNames, getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { recentMonths, usageSpan } from "@/lib/usage/span";
import { UsageClient } from "./client";
import { readUsage } from "./read-usage.ts";
import { usageSearch } from "./search-params";

const loadSearch = createLoader(usageSearch);

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage({ searchParams }: RouteProps) {
  const { accountId } = await requireSession();
  const search = await loadSearch(searchParams);
  const nowMs = Date.now();
  const span = usageSpan(search, nowMs);
  const { model, key_id, user_id, provider, metadata: pair } = search;
  const filter = Object.fromEntries(
    Object.entries({ model, key_id, user_id, provider, metadata: pair }).filter(([, value]) => value !== ""),
  );
  const [usage, byMetadata, keyNames, members, models] = await Promise.all([
    readUsage(span, filter, nowMs),
    requestRoute("GET /usage/metadata", {
      query: { from: span.from, to: span.to, ...(model && { model }) },
    }),
    getKeyNames(),
    requestRoute("GET /account/members"),
    getModels(),
  ]);
  const team = members.ok ? members.data.data : [];
  const memberNames = Object.fromEntries(team.map(({ user_id, name }) => [user_id, name]));
  return (
    <NuqsAdapter>
      <IgnoredFilters given={await searchParams} known={usageSearch} />
      <UsageClient
        usage={usage}
        byMetadata={byMetadata.ok ? byMetadata.data : null}
        modelIds={models.ok ? models.data.data.map(({ id }) => id) : []}
        months={recentMonths(nowMs)}
        span={span}
        keyNames={keyNames}
        memberNames={memberNames}
        accountId={accountId}
      />
    </NuqsAdapter>
  );
}
