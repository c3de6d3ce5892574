import { listPage, titleOf } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { ConversationsClient } from "./client.tsx";

const head = { title: "conversations" } as const;

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: searchedList }, async ({ query, requestRoute }) => {
  return <ConversationsClient rows={await requestRoute("GET /conversations", { query })} />;
});
