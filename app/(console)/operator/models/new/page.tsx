import { createLoader, parseAsString } from "nuqs/server";
import { type ApiType, kindTemplates } from "#contract/catalog-constants.ts";
import { page } from "@/app/console-page";
import { env } from "@/lib/server/env";
import { getModels } from "@/lib/server/gateway/reads";
import { NewModelClient } from "./client.tsx";

export const metadata = { title: "Add a model" };

export default page(
  { ...metadata, description: "Import a model from a provider, or use a template." },
  async ({ search, requestRoute, need }) => {
    const { provider, name } = loadNewModelSearch(search);
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
        provider={provider ?? ""}
        name={name ?? ""}
        baseUrl={`${env.mediaOrigin}/v1`}
      />
    );
  },
);

/** Templates for kinds that no built-in model has. */
const ofOtherKinds = Object.entries(kindTemplates).map(([apiType, model]) => ({
  model,
  apiType: apiType as ApiType,
}));

/** A link from a provider's page can fill in these values. */
const loadNewModelSearch = createLoader({ provider: parseAsString, name: parseAsString });
