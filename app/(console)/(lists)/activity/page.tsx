import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { activityQueries } from "@/lib/activity/spans";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { ActivityClient } from "./client.tsx";
import { activitySearch, loadActivitySearch } from "./search-params.ts";

export const metadata: Metadata = { title: "Activity" };

const maxKeys = 100;

export default async function ActivityPage({ searchParams }: RouteProps) {
  await requireSession();
  const { span, by } = await loadActivitySearch(searchParams);
  const queries = activityQueries(span, by, Date.now());
  const [runs, groups, deliveries, keys, members] = await Promise.all([
    requestRoute("GET /activity", { query: queries.runs }),
    requestRoute("GET /activity", { query: queries.groups }),
    requestRoute("GET /activity", { query: queries.deliveries }),
    requestRoute("GET /keys", { query: { limit: maxKeys } }),
    requestRoute("GET /account/members"),
  ]);
  if (!runs.ok || !groups.ok) {
    const failed = runs.ok ? groups : runs;
    const error = failed.ok ? null : failed.error;
    return (
      <>
        <PageHeader title="Activity" />
        {error?.code === "route_not_found" ? (
          <NotOffered what="figures over time">
            The operator of this gateway has switched these figures off.
          </NotOffered>
        ) : (
          error && <LoadFailure error={error} />
        )}
      </>
    );
  }
  const keyNames = keys.ok ? keys.data.data.map(({ id, name }) => [id, name]) : [];
  const memberNames = members.ok ? members.data.data.map(({ user_id, name }) => [user_id, name]) : [];
  return (
    <NuqsAdapter>
      <IgnoredFilters given={await searchParams} known={activitySearch} />
      <ActivityClient
        initial={{
          span,
          by,
          runs: runs.data,
          groups: groups.data,
          deliveries: deliveries.ok ? deliveries.data : null,
        }}
        names={Object.fromEntries([...keyNames, ...memberNames])}
      />
    </NuqsAdapter>
  );
}
