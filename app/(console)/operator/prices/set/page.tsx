import { NuqsAdapter } from "nuqs/adapters/next/app";
import { headOf, page, titleOf } from "@/app/console-page";
import { PricesTable } from "@/components/operator/prices/prices-table";
import { Section } from "@/components/ui/page/section";
import { getModels } from "@/lib/server/gateway/reads";
import { loadPriceScope } from "../../search-params.ts";
import { SetPriceClient } from "./client.tsx";

const head = headOf({
  title: "setPrice",
  parts: ["prices", "operator", "amounts"],
  description: "whatAModelCosts",
});

export const generateMetadata = titleOf(head);

const shownVersions = 50;

/** Sets the price of one operation. Its past versions are below. */
export default page(head, async ({ t, search, requestRoute, need }) => {
  const scope = loadPriceScope(search);
  const { model, api_type, provider, region, account } = scope;
  const [models, providers, versions] = await Promise.all([
    need(getModels()),
    need(requestRoute("GET /operator/providers")),
    need(
      requestRoute("GET /operator/prices", {
        query: {
          limit: shownVersions,
          ...(model && { model }),
          api_type,
          provider,
          account_id: account ?? "none",
        },
      }),
    ),
  ]);
  const { data, currency } = versions;
  const own = model ? data.filter((price) => price.provider === provider && price.region === region) : [];
  return (
    <>
      <NuqsAdapter>
        <SetPriceClient
          // Another scope starts with an empty form.
          key={JSON.stringify(scope)}
          initial={scope}
          models={models.data.map(({ id, api_types }) => ({ id, apiTypes: api_types }))}
          providers={providers.data.map(({ name }) => name)}
          before={own.find(({ status }) => status === "in_force") ?? null}
          currency={currency}
        />
      </NuqsAdapter>
      {own.length > 0 && (
        <Section title={t("versions")} description={t("runsKeepTheVersionThat")}>
          <PricesTable label={t("versions")} prices={own} accountNames={{}} versions />
        </Section>
      )}
    </>
  );
});
