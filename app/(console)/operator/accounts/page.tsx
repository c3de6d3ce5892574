import { searchLimits } from "#contract/search-words.ts";
import { headOf, page, titleOf } from "@/app/console-page";
import { accountStateWords } from "@/components/operator/accounts/account-state-words";
import { EverybodyOut } from "@/components/operator/accounts/everybody-out";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatNumber } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { usageSpan } from "@/lib/usage/span";
import { money, totalsBy } from "@/lib/usage/summary";

const head = headOf({ title: "accounts", parts: ["operatorAccounts"], description: "limitsAndCredit" });

export const generateMetadata = titleOf(head);

/** The accounts of this installation, with what they used in 30 days. The page of each has its state, limits and credit. */
export default page(head, async ({ t, search, requestRoute }) => {
  const { q: asked, plan_id: planId } = search;
  const q = typeof asked === "string" ? asked.slice(0, searchLimits.length) : "";
  const ofPlan = typeof planId === "string" ? { plan_id: planId } : {};
  const { from, to } = usageSpan({ days: "30" }, Date.now());
  const [accounts, usage] = await Promise.all([
    requestRoute("GET /operator/accounts", { query: { ...(q && { q }), ...ofPlan } }),
    requestRoute("GET /operator/usage", { query: { from, to, group_by: "account" } }),
  ]);
  const number = (value: number) => formatNumber(value, t.language);
  const spent = new Map(
    usage.ok
      ? totalsBy(usage.data.data, money, ({ account_id }) => account_id ?? "").map((total) => [
          total.name,
          total,
        ])
      : [],
  );
  return (
    <>
      <p className="mb-4 flex flex-wrap gap-x-4">
        <Link href="/operator/accounts/plans" className="text-accent hover:underline">
          {t("plans")}
        </Link>
        <Link href="/operator/accounts/deleted" className="text-accent hover:underline">
          {t("deletedAccounts")}
        </Link>
        {"plan_id" in ofPlan && (
          <Link href="/operator/accounts" className="text-accent hover:underline">
            {t("accountsOfAllPlans")}
          </Link>
        )}
      </p>
      <search>
        <form className="mb-4 flex max-w-120 items-end gap-2">
          <InputField
            label={t("nameOrId")}
            className="grow"
            name="q"
            type="search"
            defaultValue={q}
            maxLength={searchLimits.length}
          />
          {"plan_id" in ofPlan && <input type="hidden" name="plan_id" value={ofPlan.plan_id} />}
          <Button type="submit">{t("search")}</Button>
        </form>
      </search>
      {!accounts.ok ? (
        <LoadFailure error={accounts.error} />
      ) : accounts.data.data.length === 0 ? (
        <EmptyState title={t("noAccountFound")} body={t("searchForAnotherPartOf")} />
      ) : (
        <>
          <Table label={t("accounts")}>
            <thead>
              <tr>
                <Th>{t("name")}</Th>
                <Th>{t("state")}</Th>
                <Th>{t("plan")}</Th>
                <Th numeric>{t("members")}</Th>
                <Th numeric>{t("runsOfAMonth")}</Th>
                <Th numeric>{t("costOfAMonth")}</Th>
                <Th from="wide">{t("created")}</Th>
              </tr>
            </thead>
            <tbody>
              {accounts.data.data.map(({ id, name, state, plan, members, created_at }) => {
                const total = spent.get(id);
                return (
                  <Tr key={id}>
                    <Td className="wrap-anywhere">
                      <Link href={`/operator/accounts/${id}`} className="text-accent hover:underline">
                        {name}
                      </Link>
                      <span className="block font-mono text-meta text-muted">{id}</span>
                    </Td>
                    <Td label={t("state")} className={state === "active" ? "text-muted" : undefined}>
                      {t(accountStateWords[state])}
                    </Td>
                    <Td label={t("plan")} className="wrap-anywhere">
                      {plan?.name ?? "–"}
                    </Td>
                    <Td numeric label={t("members")}>
                      {number(members)}
                    </Td>
                    <Td numeric label={t("runsOfAMonth")}>
                      {usage.ok ? number(total?.requests ?? 0) : "–"}
                    </Td>
                    <Td numeric label={t("costOfAMonth")}>
                      {usage.ok && total?.amount
                        ? formatMoney(total.amount, usage.data.total.cost.currency)
                        : "–"}
                    </Td>
                    <Td from="wide" label={t("created")} className="text-muted">
                      <Time value={created_at} />
                    </Td>
                  </Tr>
                );
              })}
            </tbody>
          </Table>
          {accounts.data.has_more && <p className="mt-3 text-muted">{t("thereAreMoreAccountsSearch")}</p>}
        </>
      )}
      <div className="mt-8">
        <Section title={t("everybodyOut")} description={t("afterALeakForAll")}>
          <EverybodyOut />
        </Section>
      </div>
    </>
  );
});
