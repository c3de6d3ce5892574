import { page } from "@/app/console-page";
import { getModels } from "@/lib/server/gateway/reads";
import { AliasesClient } from "./client.tsx";

export const metadata = { title: "Aliases" };

export default page(metadata, async ({ requestRoute, word }) => {
  const [aliases, models] = await Promise.all([requestRoute("GET /aliases"), getModels()]);
  const choices = models.ok
    ? models.data.data.map(({ id, api_types }) => ({ id, apiTypes: [...api_types] }))
    : [];
  return <AliasesClient aliases={aliases} models={choices} newName={word("name")} />;
});
