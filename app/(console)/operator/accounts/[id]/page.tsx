import { Fragment } from "react";
import { limitsOf, setLimitsOf } from "#contract/accounts/limits.ts";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { OperatorUsageList } from "#contract/operator/usage.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { AccountState } from "@/components/operator/accounts/account-state";
import { accountStateWords } from "@/components/operator/accounts/account-state-words";
import { CreditForm, EndPrepayment } from "@/components/operator/accounts/credit-form";
import { EverybodyOut } from "@/components/operator/accounts/everybody-out";
import { ChangeLimits } from "@/components/operator/accounts/limits";
import { CreditHistory } from "@/components/settings/credit-history";
import { LimitFacts } from "@/components/settings/limit-facts";
import { PrepaidBalance } from "@/components/settings/prepaid-balance";
import { Facts } from "@/components/ui/facts";
import { Pager } from "@/components/ui/list/pager";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatMoney } from "@/lib/money";
import { pageQueryOf } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/reads";
import { usageSpan } from "@/lib/usage/span";
import type { Words } from "@/messages/words";

const head = headOf({ title: "account", parts: ["operatorAccounts", "amounts"] });

export const generateMetadata = titleOf(head);

/** What operators know of an account: its state, usage, limits and credit, and none of its contents. */
export default page<"id", "operatorAccounts">(
  head,
  async ({ t, params: { id }, search, requestRoute, need }) => {
    const { from, to } = usageSpan({ days: "30" }, Date.now());
    const [account, credits, own, usage, models, plans] = await Promise.all([
      need(requestRoute("GET /operator/accounts/{id}", { params: { id } })),
      need(
        requestRoute("GET /operator/accounts/{id}/credits", { params: { id }, query: pageQueryOf(search) }),
      ),
      requestRoute("GET /account/budgets"),
      requestRoute("GET /operator/usage", { query: { from, to, account_id: id, group_by: "account" } }),
      getModels(),
      need(requestRoute("GET /operator/plans")),
    ]);
    const { name, limits, plan } = account;
    const { prepaid, data } = credits;
    const currency = prepaid?.currency ?? (own.ok ? own.data.currency : t("installationsCurrency"));
    return (
      <>
        <ReturnToRow list="/operator/accounts" />
        <PageHeader title={name} description={id} />
        <div className="grid gap-x-8 desktop:grid-cols-2">
          <Section title={t("state")}>
            <div className="flex flex-col gap-4">
              <AccountFacts account={account} usage={usage.ok ? usage.data.total : null} />
              <AccountState
                accountId={id}
                name={name}
                suspension={account.suspension}
                isBeingDeleted={account.state === "being_deleted"}
              />
              <EverybodyOut account={{ id, name }} />
            </div>
          </Section>
          <Section title={t("limits")} description={t("forAllKeysAndMembers")}>
            <div className="flex flex-col gap-3">
              <LimitFacts
                limits={limitsOf(account.usual_limits, setLimitsOf(plan?.limits, limits))}
                storedBytes={account.stored_bytes}
                plan={plan?.name ?? null}
                set={limits}
              />
              <ChangeLimits
                account={account}
                modelIds={models.ok ? models.data.data.map((model) => model.id) : []}
                plans={plans.data}
              />
            </div>
          </Section>
          <Section title={t("credit")}>
            <div className="flex flex-col gap-4">
              {prepaid ? (
                <PrepaidBalance prepaid={prepaid} />
              ) : (
                <p className="text-muted">{t("notPrepaid")}</p>
              )}
              <CreditHistory credits={data} />
              <Pager list={credits} />
              {prepaid && (
                <div>
                  <EndPrepayment name={name} accountId={id} />
                </div>
              )}
            </div>
          </Section>
          <Section title={t("addCredit")}>
            <CreditForm currency={currency} isPrepaid={prepaid !== null} accountId={id} />
          </Section>
        </div>
      </>
    );
  },
);

interface AccountFactsProps {
  account: OperatorAccountDetail;
  /** Of the last 30 days; null if it could not be read. */
  usage: OperatorUsageList["total"] | null;
}

function AccountFacts({ account, usage }: AccountFactsProps) {
  const t = useWords("operatorAccounts");
  const due = account.deletion_due_at;
  return (
    <Facts
      facts={[
        [
          t("state"),
          <Fragment key="state">
            {t(accountStateWords[account.state])}
            {due !== null && (
              <>
                {" "}
                <Time value={due} mode="absolute" />
              </>
            )}
          </Fragment>,
        ],
        [t("created"), <Time key="created" value={account.created_at} mode="absolute" />],
        [t("members"), t("countMembers", { count: account.members })],
        [t("keys"), t("countKeys", { count: account.keys })],
        ...(usage === null
          ? []
          : ([
              [t("last30Days"), t("countRuns", { count: usage.requests })],
              [
                t("costAndCharge"),
                usage.cost.amount === null && usage.charge.amount === null
                  ? t("notPriced")
                  : t("amounts", { cost: amountText(t, usage.cost), charge: amountText(t, usage.charge) }),
              ],
            ] as const)),
        [
          t("usage"),
          <Link
            key="usage"
            href={`/operator/all-usage?account_id=${account.id}`}
            className="text-accent hover:underline"
          >
            {t("byDayModelAndKey")}
          </Link>,
        ],
      ]}
    />
  );
}

function amountText(
  t: Words<"operatorAccounts">,
  { amount, currency }: OperatorUsageList["total"]["cost"],
): string {
  return amount === null ? t("notPriced") : formatMoney(amount, currency);
}
