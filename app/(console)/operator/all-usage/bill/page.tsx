import { headOf, page, titleOf } from "@/app/console-page";
import { CompareBill } from "@/components/operator/usage/compare-bill";
import { LinkButton } from "@/components/ui/button";
import { readPriceMapping } from "../../prices/read-prices.ts";

const head = headOf({
  title: "compareBill",
  parts: ["operatorUsage"],
  description: "aboutBill",
  actions: (t) => <LinkButton href="/operator/all-usage">{t("allUsage")}</LinkButton>,
});

export const generateMetadata = titleOf(head);

/** Compares a provider's bill with our usage figures. The bill never leaves the browser. */
export default page(head, async ({ requestRoute, need }) => {
  const [{ presets, operations }, { currency }] = await Promise.all([
    need(readPriceMapping()),
    need(requestRoute("GET /operator/prices", { query: { limit: 1 } })),
  ]);
  return <CompareBill providers={Object.keys(presets)} operations={operations} currency={currency} />;
});
