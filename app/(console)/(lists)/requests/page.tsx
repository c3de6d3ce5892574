import type { Metadata } from "next";
import { type ErrorCode, errorCatalogue } from "#contract/error.ts";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { requestList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { getKeyNames, getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { RequestsClient } from "./client";

export const metadata: Metadata = { title: "Requests" };

/** Error codes by error type. */
const errorCodes: Record<string, string[]> = {
  ...Object.groupBy(Object.keys(errorCatalogue) as ErrorCode[], (code) => errorCatalogue[code].type),
};

export default async function RequestsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const [requests, keyNames, models] = await Promise.all([
    requestRoute("GET /requests", { query: requestList.queryOf(requestList.viewOf(search), Date.now()) }),
    getKeyNames(),
    getModels(),
  ]);
  const modelIds = models.ok ? models.data.data.map((each) => each.id) : [];
  return (
    <>
      <IgnoredFilters given={search} known={requestList.empty} />
      <RequestsClient requests={requests} keyNames={keyNames} modelIds={modelIds} errorCodes={errorCodes} />
    </>
  );
}
