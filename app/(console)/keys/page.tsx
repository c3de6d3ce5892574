import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { keyList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/models";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { KeysClient } from "./client";

export const metadata: Metadata = { title: "Keys" };

export default async function KeysPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = keyList.queryOf(keyList.viewOf(search), Date.now());
  const [keys, models] = await Promise.all([requestRoute("GET /keys", { query }), getModels()]);
  return (
    <>
      <IgnoredFilters given={search} known={keyList.empty} />
      <KeysClient keys={keys} modelIds={models.ok ? models.data.data.map((model) => model.id) : []} />
    </>
  );
}
