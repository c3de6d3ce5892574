import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { timeBounds } from "@/lib/time-filter";
import { RequestsClient } from "./client";
import { requestSearch } from "./search-params";

const loadSearch = createLoader(requestSearch);

export const metadata: Metadata = { title: "Requests" };

const mostKeys = 100;

export default async function RequestsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const { since, created_after, created_before, console_reads, ...filters } = await loadSearch(search);
  const [requests, keys, models] = await Promise.all([
    requestRoute("GET /requests", {
      query: {
        ...filters,
        ...timeBounds({ since, created_after, created_before }, Date.now()),
        ...pageQueryOf(search),
        ...(!console_reads && { console_reads }),
      },
    }),
    requestRoute("GET /keys", { query: { limit: mostKeys } }),
    requestRoute("GET /models"),
  ]);
  const keyNames = keys.ok ? Object.fromEntries(keys.data.data.map((key) => [key.id, key.name])) : {};
  const modelIds = models.ok ? models.data.data.map((each) => each.id) : [];
  return (
    <>
      <IgnoredFilters given={search} known={requestSearch} />
      <RequestsClient requests={requests} keyNames={keyNames} modelIds={modelIds} />
    </>
  );
}
