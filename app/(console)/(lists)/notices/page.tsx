import { listPage, titleOf } from "@/app/console-page";
import { noticeList } from "@/lib/lists";
import { unreadByCause } from "@/lib/notices/unread";
import { NoticesClient } from "./client.tsx";

const head = { title: "notices" } as const;

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: noticeList }, async ({ query, requestRoute }) => {
  const [rows, unread] = await Promise.all([
    requestRoute("GET /notices", { query }),
    requestRoute("GET /notices", { query: unreadByCause }),
  ]);
  return <NoticesClient rows={rows} causes={unread.ok ? (unread.data.groups ?? []) : []} />;
});
