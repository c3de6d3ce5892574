import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { searchedList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { ConversationsClient } from "./client";

export const metadata: Metadata = { title: "Conversations" };

export default async function ConversationsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = searchedList.queryOf(searchedList.viewOf(search), Date.now());
  return (
    <>
      <IgnoredFilters given={search} known={searchedList.empty} />
      <ConversationsClient rows={await requestRoute("GET /conversations", { query })} />
    </>
  );
}
