import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { createLoader } from "nuqs/server";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import type { RouteProps } from "@/lib/page-props";
import { pageQueryOf } from "@/lib/page-query";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { KeysClient } from "./client";
import { keySearch } from "./search-params";

const loadSearch = createLoader(keySearch);

export const metadata: Metadata = { title: "Keys" };

export default async function KeysPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const { user_id } = await loadSearch(search);
  const query = { ...pageQueryOf(search), ...(user_id && { user_id }) };
  const [keys, models] = await Promise.all([
    requestRoute("GET /keys", { query }),
    requestRoute("GET /models"),
  ]);
  return (
    <NuqsAdapter>
      <IgnoredFilters given={search} known={keySearch} />
      <KeysClient keys={keys} modelIds={models.ok ? models.data.data.map((model) => model.id) : []} />
    </NuqsAdapter>
  );
}
