import { headOf, listPage, titleOf } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { ConversationsClient } from "./client.tsx";

const head = headOf({ title: "conversations", parts: ["conversations"] });

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: searchedList }, async ({ query, requestRoute }) => {
  return <ConversationsClient rows={await requestRoute("GET /conversations", { query })} />;
});
