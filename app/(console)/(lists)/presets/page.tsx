import { listPage } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { PresetsClient } from "./client.tsx";

export const metadata = { title: "Presets" };

export default listPage({ ...metadata, list: searchedList }, async ({ query, requestRoute }) => {
  return <PresetsClient rows={await requestRoute("GET /presets", { query })} />;
});
