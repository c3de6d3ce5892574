import { headOf, page, titleOf } from "@/app/console-page";
import { getModels } from "@/lib/server/gateway/reads";
import { AliasesClient } from "./client.tsx";

const head = headOf({ title: "aliases", parts: ["aliases"] });

export const generateMetadata = titleOf(head);

export default page(head, async ({ requestRoute, word }) => {
  const [aliases, models] = await Promise.all([requestRoute("GET /aliases"), getModels()]);
  const choices = models.ok
    ? models.data.data.map(({ id, api_types }) => ({ id, apiTypes: [...api_types] }))
    : [];
  return <AliasesClient aliases={aliases} models={choices} newName={word("name")} />;
});
