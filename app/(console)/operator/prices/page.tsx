import { Plus } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { inWords } from "@/components/words/coded";
import { priceHref, type UnpricedOperation, unpricedOperations } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";
import { listText } from "@/lib/words/list-text";
import { ImportButton, MarkupsSection, PricesClient } from "./client.tsx";
import { readAccountNames, readCurrentPrices, readPriceMapping } from "./read-prices.ts";

const head = headOf({ title: "prices", parts: ["prices", "operator", "amounts"] });

export const generateMetadata = titleOf(head);

/**
 * Most unpriced operations on the page: enough to start with. When these have prices, the next ones appear.
 */
const shownUnpriced = 20;

/** Costs and prices: current and scheduled prices, and operations without a price. */
export default page(head, async ({ t, requestRoute, need }) => {
  const [prices, mapping, markups] = await Promise.all([
    need(readCurrentPrices()),
    need(readPriceMapping()),
    requestRoute("GET /operator/markups"),
  ]);
  const { data, currency, file } = prices;
  const unpriced = unpricedOperations(mapping.operations, data);
  const names = await readAccountNames([...data, ...(markups.ok ? markups.data.data : [])]);
  return (
    <>
      <PageHeader
        title={t("prices")}
        description={t("theCostOfRunsIn", { currency })}
        actions={
          <>
            <ImportButton
              prices={data}
              operations={mapping.operations}
              presets={mapping.presets}
              currency={currency}
            />
            <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/prices/set">
              {t("setAPrice")}
            </LinkButton>
          </>
        }
      />
      {file?.problem && (
        <p role="alert" className="mb-4 rounded-control bg-bad-soft p-3 wrap-anywhere">
          {t.rich(
            "theLastChangeOfPath",
            { path: file.path, problem: file.problem },
            inWords(file.problem, file.problem_codes),
          )}
        </p>
      )}
      {unpriced.length > 0 && (
        <Section title={t("notPriced")} description={t("aboutUnpriced", { count: unpriced.length })}>
          <UnpricedTable operations={unpriced.slice(0, shownUnpriced)} />
          {unpriced.length > shownUnpriced && (
            <p className="mt-2 text-table text-muted">
              {t("moreOperations", { count: unpriced.length - shownUnpriced })}
            </p>
          )}
        </Section>
      )}
      <NuqsAdapter>
        <PricesClient prices={data} accountNames={names} />
      </NuqsAdapter>
      {markups.ok ? (
        <MarkupsSection markups={markups.data.data} accountNames={names} />
      ) : (
        <LoadFailure error={markups.error} />
      )}
    </>
  );
});

/** Operations that a provider runs and that have no price. */
function UnpricedTable({ operations }: { operations: readonly UnpricedOperation[] }) {
  const t = useWords("prices");
  const shared = useWords("operator");
  return (
    <Table label={t("notPriced")}>
      <thead>
        <tr>
          <Th>{t("model")}</Th>
          <Th>{t("operation")}</Th>
          <Th>{t("runsAt")}</Th>
        </tr>
      </thead>
      <tbody>
        {operations.map(({ model, apiType, providers }) => (
          <Tr key={`${apiType} ${model}`}>
            <Td className="max-w-80">
              <RowLink
                href={priceHref({ model, api_type: apiType })}
                className="block font-mono wrap-anywhere"
              >
                {model}
              </RowLink>
            </Td>
            <Td label={t("operation")}>{kindLabel(shared, apiType)}</Td>
            <Td className="max-w-72 text-muted wrap-anywhere" label={t("runsAt")}>
              {listText(t.language, providers, "plain")}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
