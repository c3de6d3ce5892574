import type { Metadata } from "next";
import { CompareBill } from "@/components/operator/usage/compare-bill";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { PageHeader } from "@/components/ui/page/page-header";
import { requestRoute } from "@/lib/server/gateway/request";
import { readPriceMapping } from "../../prices/read-prices.ts";

export const metadata: Metadata = { title: "Compare with a bill" };

/** Compares a provider's bill with our usage figures. The bill never leaves the browser. */
export default async function BillPage() {
  const [mapping, prices] = await Promise.all([
    readPriceMapping(),
    requestRoute("GET /operator/prices", { query: { limit: 1 } }),
  ]);
  return (
    <>
      <PageHeader
        title="Compare with a bill"
        description="A provider's bill beside this gateway's figures, by UTC day."
        actions={<LinkButton href="/operator/all-usage">All usage</LinkButton>}
      />
      {!mapping.ok ? (
        <LoadFailure error={mapping.error} />
      ) : !prices.ok ? (
        <LoadFailure error={prices.error} />
      ) : (
        <CompareBill
          providers={Object.keys(mapping.data.presets)}
          operations={mapping.data.operations}
          currency={prices.data.currency}
        />
      )}
    </>
  );
}
