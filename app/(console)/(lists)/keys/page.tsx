import type { Metadata } from "next";
import { IgnoredFilters } from "@/components/ui/list/ignored-filters";
import { keyList } from "@/lib/lists";
import { formatMoney } from "@/lib/money";
import type { RouteProps } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { money, totalsBy, utcDay } from "@/lib/usage/summary";
import { KeysClient } from "./client";

export const metadata: Metadata = { title: "Keys" };

export default async function KeysPage({ searchParams }: RouteProps) {
  await requireSession();
  const search = await searchParams;
  const query = keyList.queryOf(keyList.viewOf(search), Date.now());
  const from = `${utcDay(Date.now()).slice(0, 7)}-01`;
  const [keys, models, usage] = await Promise.all([
    requestRoute("GET /keys", { query }),
    getModels(),
    requestRoute("GET /usage", { query: { from, group_by: "key" } }),
  ]);
  const totals = usage.ok ? totalsBy(usage.data.data, money, ({ key_id }) => key_id ?? "") : [];
  const currency = usage.ok ? usage.data.total.cost.currency : "";
  const spent = Object.fromEntries(
    totals.flatMap(({ name, amount }) => (amount === null ? [] : [[name, formatMoney(amount, currency)]])),
  );
  return (
    <>
      <IgnoredFilters given={search} known={keyList.empty} />
      <KeysClient
        keys={keys}
        modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
        currency={currency}
        spent={spent}
      />
    </>
  );
}
