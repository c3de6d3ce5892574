import { headOf, listPage, titleOf } from "@/app/console-page";
import { searchedList } from "@/lib/lists";
import { PresetsClient } from "./client.tsx";

const head = headOf({ title: "presets", parts: ["presets"] });

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: searchedList }, async ({ query, requestRoute }) => {
  return <PresetsClient rows={await requestRoute("GET /presets", { query })} />;
});
