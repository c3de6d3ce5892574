import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { noticeList } from "@/lib/lists";
import { unreadByCause } from "@/lib/notices/unread";
import type { RouteProps } from "@/lib/page-props";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { NoticesClient } from "./client";

export const metadata: Metadata = { title: "Notices" };

export default async function NoticesPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const view = noticeList.viewOf(search);
  const [rows, unread] = await Promise.all([
    requestRoute("GET /notices", { query: noticeList.queryOf(view, Date.now()) }),
    requestRoute("GET /notices", { query: unreadByCause }),
  ]);
  return (
    <>
      <IgnoredFilters given={search} known={noticeList.empty} />
      <NoticesClient rows={rows} causes={unread.ok ? (unread.data.groups ?? []) : []} />
    </>
  );
}
