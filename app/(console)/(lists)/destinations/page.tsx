import { page } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { DestinationsClient } from "./client.tsx";

export const metadata = { title: "Destinations" };

export default page(metadata, async ({ search, requestRoute }) => {
  const query = searchedList.queryOf(searchedList.viewOf(search), Date.now());
  return <DestinationsClient destinations={await requestRoute("GET /destinations", { query })} />;
});
