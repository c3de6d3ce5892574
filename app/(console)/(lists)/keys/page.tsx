import { headOf, listPage, titleOf } from "@/app/console-page";
import { keyList } from "@/lib/lists";
import { formatMoney } from "@/lib/money";
import { getModels } from "@/lib/server/gateway/reads";
import { money, totalsBy, utcDay } from "@/lib/usage/summary";
import { KeysClient } from "./client.tsx";

const head = headOf({ title: "keys", parts: ["keys", "secrets", "amounts"] });

export const generateMetadata = titleOf(head);

export default listPage({ ...head, list: keyList }, async ({ query, requestRoute }) => {
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
    <KeysClient
      keys={keys}
      modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
      currency={currency}
      spent={spent}
    />
  );
});
