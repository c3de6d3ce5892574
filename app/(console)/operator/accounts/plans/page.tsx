import { headOf, page, titleOf } from "@/app/console-page";
import { Plans } from "@/components/operator/accounts/plans-table";
import { getModels } from "@/lib/server/gateway/reads";

const head = headOf({ title: "plans", parts: ["operatorAccounts"] });

export const generateMetadata = titleOf(head);

/** Limits under a name, which operators give to accounts. */
export default page(head, async ({ requestRoute, need }) => {
  const [plans, models] = await Promise.all([need(requestRoute("GET /operator/plans")), getModels()]);
  return <Plans plans={plans.data} modelIds={models.ok ? models.data.data.map((model) => model.id) : []} />;
});
