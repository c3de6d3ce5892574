import { type ApiType, kindTemplates } from "#contract/catalog-constants.ts";
import { page, titleOf } from "@/app/console-page";
import { getModels } from "@/lib/server/gateway/reads";
import { NewModelClient } from "./client.tsx";

const head = { title: "addModel" } as const;

export const generateMetadata = titleOf(head);

export default page(
  { ...head, description: "Import a model from a provider, or use a template." },
  async ({ word, baseUrl, requestRoute, need }) => {
    const [providers, models] = await Promise.all([
      need(requestRoute("GET /operator/providers")),
      need(getModels()),
    ]);
    return (
      <NewModelClient
        providers={providers.data}
        templates={models.data
          .filter(({ id }) => id.startsWith("svc/"))
          .flatMap(({ id, operations }) =>
            operations.map(({ api_type }) => ({ model: id, apiType: api_type })),
          )
          .concat(ofOtherKinds)}
        // A link from a provider's page can fill in these values.
        provider={word("provider") ?? ""}
        name={word("name") ?? ""}
        baseUrl={baseUrl}
      />
    );
  },
);

/** Templates for kinds that no built-in model has. */
const ofOtherKinds = Object.entries(kindTemplates).map(([apiType, model]) => ({
  model,
  apiType: apiType as ApiType,
}));
