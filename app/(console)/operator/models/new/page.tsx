import { type ApiType, kindTemplates } from "#contract/catalog-constants.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { getModels } from "@/lib/server/gateway/reads";
import { NewModelClient } from "./client.tsx";

const head = headOf({
  title: "addModel",
  parts: ["operatorModels", "catalog", "operator", "inputForm", "jsonFault", "media"],
  description: "aboutNewModel",
});

export const generateMetadata = titleOf(head);

export default page(head, async ({ word, baseUrl, requestRoute, need }) => {
  const [providers, models] = await Promise.all([
    need(requestRoute("GET /operator/providers")),
    need(getModels()),
  ]);
  return (
    <NewModelClient
      providers={providers.data}
      templates={models.data
        .filter(({ id }) => id.startsWith("svc/"))
        .flatMap(({ id, operations }) => operations.map(({ api_type }) => ({ model: id, apiType: api_type })))
        .concat(ofOtherKinds)}
      // A link from a provider's page can fill in these values.
      provider={word("provider") ?? ""}
      name={word("name") ?? ""}
      baseUrl={baseUrl}
    />
  );
});

/** Templates for kinds that no built-in model has. */
const ofOtherKinds = Object.entries(kindTemplates).map(([apiType, model]) => ({
  model,
  apiType: apiType as ApiType,
}));
