import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { noticeList } from "@/lib/lists";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { NoticesClient } from "./client";

export const metadata: Metadata = { title: "Notices" };

export default async function NoticesPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = noticeList.queryOf(noticeList.viewOf(search), Date.now());
  return (
    <>
      <IgnoredFilters given={search} known={noticeList.empty} />
      <NoticesClient rows={await requestRoute("GET /notices", { query })} />
    </>
  );
}
