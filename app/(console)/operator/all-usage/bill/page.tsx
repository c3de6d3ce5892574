import { page, titleOf } from "@/app/console-page";
import { CompareBill } from "@/components/operator/usage/compare-bill";
import { LinkButton } from "@/components/ui/button";
import { readPriceMapping } from "../../prices/read-prices.ts";

const head = { title: "compareBill" } as const;

export const generateMetadata = titleOf(head);

/** Compares a provider's bill with our usage figures. The bill never leaves the browser. */
export default page(
  {
    ...head,
    description: "A provider's bill beside this gateway's figures, by UTC day.",
    actions: <LinkButton href="/operator/all-usage">All usage</LinkButton>,
  },
  async ({ requestRoute, need }) => {
    const [{ presets, operations }, { currency }] = await Promise.all([
      need(readPriceMapping()),
      need(requestRoute("GET /operator/prices", { query: { limit: 1 } })),
    ]);
    return <CompareBill providers={Object.keys(presets)} operations={operations} currency={currency} />;
  },
);
