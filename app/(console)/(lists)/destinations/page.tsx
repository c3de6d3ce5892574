import { headOf, page, titleOf } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { DestinationsClient } from "./client.tsx";

const head = headOf({ title: "destinations", parts: ["destinations", "states"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ search, requestRoute }) => {
  const query = searchedList.queryOf(searchedList.viewOf(search), Date.now());
  return <DestinationsClient destinations={await requestRoute("GET /destinations", { query })} />;
});
