import { Plus } from "lucide-react";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { page, titleOf } from "@/app/console-page";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { formatCount } from "@/lib/format";
import { priceHref, type UnpricedOperation, unpricedOperations } from "@/lib/operator/prices/scope";
import { kindLabel } from "@/lib/operator/provider-labels";
import { ImportButton, MarkupsSection, PricesClient } from "./client.tsx";
import { readAccountNames, readCurrentPrices, readPriceMapping } from "./read-prices.ts";

const head = { title: "prices" } as const;

export const generateMetadata = titleOf(head);

/**
 * Most unpriced operations on the page: enough to start with. When these have prices, the next ones appear.
 */
const shownUnpriced = 20;

/** Costs and prices: current and scheduled prices, and operations without a price. */
export default page(head, async ({ requestRoute, need }) => {
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
        title="Prices"
        description={`The cost of runs, in ${currency}.`}
        actions={
          <>
            <ImportButton
              prices={data}
              operations={mapping.operations}
              presets={mapping.presets}
              currency={currency}
            />
            <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/prices/set">
              Set a price
            </LinkButton>
          </>
        }
      />
      {file?.problem && (
        <p role="alert" className="mb-4 rounded-control bg-bad-soft p-3 wrap-anywhere">
          The last change of {file.path} is not in effect: {file.problem}
        </p>
      )}
      {unpriced.length > 0 && (
        <Section
          title="Not priced"
          description={`${formatCount(unpriced.length, "operation")} at a provider without a price. Their runs are shown as "not priced", never as 0.`}
        >
          <UnpricedTable operations={unpriced.slice(0, shownUnpriced)} />
          {unpriced.length > shownUnpriced && (
            <p className="mt-2 text-table text-muted">
              and {formatCount(unpriced.length - shownUnpriced, "more operation")}
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
  return (
    <Table label="Not priced">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Operation</Th>
          <Th>Runs at</Th>
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
            <Td label="Operation">{kindLabel(apiType)}</Td>
            <Td className="max-w-72 text-muted wrap-anywhere" label="Runs at">
              {providers.join(", ")}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
