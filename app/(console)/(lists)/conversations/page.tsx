import { listPage } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { ConversationsClient } from "./client.tsx";

export const metadata = { title: "Conversations" };

export default listPage({ ...metadata, list: searchedList }, async ({ query, requestRoute }) => {
  return <ConversationsClient rows={await requestRoute("GET /conversations", { query })} />;
});
