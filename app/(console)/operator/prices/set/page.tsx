import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { PricesTable } from "@/components/operator/prices/prices-table";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import type { RouteProps } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { loadPriceScope } from "../../search-params.ts";
import { SetPriceClient } from "./client.tsx";

export const metadata: Metadata = { title: "Set a price" };

const shownVersions = 50;

/** Sets the price of one operation. Its past versions are below. */
export default async function SetPricePage({ searchParams }: RouteProps) {
  const scope = await loadPriceScope(searchParams);
  const { model, api_type, provider, region, account } = scope;
  const [models, providers, versions] = await Promise.all([
    getModels(),
    requestRoute("GET /operator/providers"),
    requestRoute("GET /operator/prices", {
      query: {
        limit: shownVersions,
        ...(model && { model }),
        api_type,
        provider,
        account_id: account ?? "none",
      },
    }),
  ]);
  if (!models.ok || !providers.ok || !versions.ok)
    return (
      <>
        <PageHeader title="Set a price" />
        {[models, providers, versions].map(
          (answer) => answer.ok || <LoadFailure key="failure" error={answer.error} />,
        )}
      </>
    );
  const { data, currency } = versions.data;
  const own = model ? data.filter((price) => price.provider === provider && price.region === region) : [];
  return (
    <>
      <PageHeader title="Set a price" description="What a model costs at a provider, and from when." />
      <NuqsAdapter>
        <SetPriceClient
          // Another scope starts with an empty form.
          key={JSON.stringify(scope)}
          initial={scope}
          models={models.data.data.map(({ id, api_types }) => ({ id, apiTypes: api_types }))}
          providers={providers.data.data.map(({ name }) => name)}
          before={own.find(({ status }) => status === "in_force") ?? null}
          currency={currency}
        />
      </NuqsAdapter>
      {own.length > 0 && (
        <Section title="Versions" description="Runs keep the version that was current when they started.">
          <PricesTable label="Versions" prices={own} accountNames={{}} versions />
        </Section>
      )}
    </>
  );
}
