import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { requestList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/models";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { RequestsClient } from "./client";

export const metadata: Metadata = { title: "Requests" };

const mostKeys = 100;

export default async function RequestsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const [requests, keys, models] = await Promise.all([
    requestRoute("GET /requests", { query: requestList.queryOf(requestList.viewOf(search), Date.now()) }),
    requestRoute("GET /keys", { query: { limit: mostKeys } }),
    getModels(),
  ]);
  const keyNames = keys.ok ? Object.fromEntries(keys.data.data.map((key) => [key.id, key.name])) : {};
  const modelIds = models.ok ? models.data.data.map((each) => each.id) : [];
  return (
    <>
      <IgnoredFilters given={search} known={requestList.empty} />
      <RequestsClient requests={requests} keyNames={keyNames} modelIds={modelIds} />
    </>
  );
}
