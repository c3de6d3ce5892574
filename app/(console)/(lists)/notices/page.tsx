import { headOf, listPage, titleOf } from "@/app/console-page";
import { noticeList } from "@/lib/lists";
import { inLanguage, unreadByCause } from "@/lib/notices/unread";
import { NoticesClient } from "./client.tsx";

const head = headOf({ title: "notices", parts: ["noticePages", "webhooks"] });

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: noticeList }, async ({ t, query, requestRoute }) => {
  const [rows, unread] = await Promise.all([
    requestRoute("GET /notices", { query: { ...query, ...inLanguage(t.language) } }),
    requestRoute("GET /notices", { query: unreadByCause(t.language) }),
  ]);
  return <NoticesClient rows={rows} causes={unread.ok ? (unread.data.groups ?? []) : []} />;
});
