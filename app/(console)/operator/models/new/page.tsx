import type { Metadata } from "next";
import { createLoader, parseAsString } from "nuqs/server";
import { type ApiType, kindTemplates } from "#contract/catalog-constants.ts";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { env } from "@/lib/server/env";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { NewModelClient } from "./client.tsx";

export const metadata: Metadata = { title: "Add a model" };

export default async function NewModelPage({ searchParams }: RouteProps) {
  const [search, providers, models] = await Promise.all([
    loadNewModelSearch(searchParams),
    requestRoute("GET /operator/providers"),
    getModels(),
  ]);
  return (
    <>
      <PageHeader title="Add a model" description="Import a model from a provider, or use a template." />
      {!providers.ok ? (
        <LoadFailure error={providers.error} />
      ) : !models.ok ? (
        <LoadFailure error={models.error} />
      ) : (
        <NewModelClient
          providers={providers.data.data}
          templates={models.data.data
            .filter(({ id }) => id.startsWith("svc/"))
            .flatMap(({ id, operations }) =>
              operations.map(({ api_type }) => ({ model: id, apiType: api_type })),
            )
            .concat(ofOtherKinds)}
          provider={search.provider ?? ""}
          name={search.name ?? ""}
          baseUrl={`${env.mediaOrigin}/v1`}
        />
      )}
    </>
  );
}

/** Templates for kinds that no built-in model has. */
const ofOtherKinds = Object.entries(kindTemplates).map(([apiType, model]) => ({
  model,
  apiType: apiType as ApiType,
}));

/** A link from a provider's page can fill in these values. */
const loadNewModelSearch = createLoader({ provider: parseAsString, name: parseAsString });
