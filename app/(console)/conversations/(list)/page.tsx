import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { conversationList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { ConversationsClient } from "./client";

export const metadata: Metadata = { title: "Conversations" };

export default async function ConversationsPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = conversationList.queryOf(conversationList.viewOf(search), Date.now());
  return (
    <>
      <IgnoredFilters given={search} known={conversationList.empty} />
      <ConversationsClient rows={await requestRoute("GET /conversations", { query })} />
    </>
  );
}
