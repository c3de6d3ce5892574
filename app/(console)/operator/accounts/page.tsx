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

const head = headOf({ title: "accounts", parts: ["operatorAccounts"], description: "limitsAndCredit" });

export const generateMetadata = titleOf(head);

/** The accounts of this installation. The page of each has its state, limits and credit. */
export default page(head, async ({ t, search, requestRoute }) => {
  const { q: asked, plan_id: planId } = search;
  const q = typeof asked === "string" ? asked.slice(0, searchLimits.length) : "";
  const ofPlan = typeof planId === "string" ? { plan_id: planId } : {};
  const accounts = await requestRoute("GET /operator/accounts", { query: { ...(q && { q }), ...ofPlan } });
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
                <Th>{t("id")}</Th>
                <Th>{t("state")}</Th>
              </tr>
            </thead>
            <tbody>
              {accounts.data.data.map(({ id, name, state }) => (
                <Tr key={id}>
                  <Td className="wrap-anywhere">
                    <Link href={`/operator/accounts/${id}`} className="text-accent hover:underline">
                      {name}
                    </Link>
                  </Td>
                  <Td className="font-mono text-meta text-muted wrap-anywhere" label={t("id")}>
                    {id}
                  </Td>
                  <Td label={t("state")} className={state === "active" ? "text-muted" : undefined}>
                    {t(accountStateWords[state])}
                  </Td>
                </Tr>
              ))}
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
