import { Fragment } from "react";
import { limitsOf, setLimitsOf } from "#contract/accounts/limits.ts";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { OperatorUsageList } from "#contract/operator/usage.ts";
import { page, titleOf } from "@/app/console-page";
import { AccountState } from "@/components/operator/accounts/account-state";
import { CreditForm, EndPrepayment } from "@/components/operator/accounts/credit-form";
import { EverybodyOut } from "@/components/operator/accounts/everybody-out";
import { ChangeLimits } from "@/components/operator/accounts/limits";
import { CreditHistory, PrepaidBalance } from "@/components/settings/credit-history";
import { LimitFacts } from "@/components/settings/limit-facts";
import { Facts } from "@/components/ui/facts";
import { Pager } from "@/components/ui/list/pager";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";
import { formatMoney } from "@/lib/money";
import { pageQueryOf } from "@/lib/page-props";
import { getModels } from "@/lib/server/gateway/reads";
import { usageSpan } from "@/lib/usage/span";

const head = { title: "account" } as const;

export const generateMetadata = titleOf(head);

/** What operators know of an account: its state, usage, limits and credit, and none of its contents. */
export default page<"id">(head, async ({ params: { id }, search, requestRoute, need }) => {
  const { from, to } = usageSpan({ days: "30" }, Date.now());
  const [account, credits, own, usage, models, plans] = await Promise.all([
    need(requestRoute("GET /operator/accounts/{id}", { params: { id } })),
    need(requestRoute("GET /operator/accounts/{id}/credits", { params: { id }, query: pageQueryOf(search) })),
    requestRoute("GET /account/budgets"),
    requestRoute("GET /operator/usage", { query: { from, to, account_id: id, group_by: "account" } }),
    getModels(),
    need(requestRoute("GET /operator/plans")),
  ]);
  const { name, limits, plan } = account;
  const { prepaid, data } = credits;
  const currency = prepaid?.currency ?? (own.ok ? own.data.currency : "the installation’s currency");
  return (
    <>
      <ReturnToRow list="/operator/accounts" />
      <PageHeader title={name} description={id} />
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Section title="State">
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
        <Section title="Limits" description="For all keys and members of the account together.">
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
        <Section title="Credit">
          <div className="flex flex-col gap-4">
            {prepaid ? <PrepaidBalance prepaid={prepaid} /> : <p className="text-muted">Not prepaid.</p>}
            <CreditHistory credits={data} />
            <Pager list={credits} />
            {prepaid && (
              <div>
                <EndPrepayment name={name} accountId={id} />
              </div>
            )}
          </div>
        </Section>
        <Section title="Add credit">
          <CreditForm currency={currency} isPrepaid={prepaid !== null} accountId={id} />
        </Section>
      </div>
    </>
  );
});

const states: Record<OperatorAccountDetail["state"], string> = {
  active: "Active",
  suspended: "Suspended",
  deletion_scheduled: "Will be deleted",
  being_deleted: "Being deleted",
};

interface AccountFactsProps {
  account: OperatorAccountDetail;
  /** Of the last 30 days; null if it could not be read. */
  usage: OperatorUsageList["total"] | null;
}

function AccountFacts({ account, usage }: AccountFactsProps) {
  const due = account.deletion_due_at;
  return (
    <Facts
      facts={[
        [
          "State",
          <Fragment key="state">
            {states[account.state]}
            {due !== null && (
              <>
                {" "}
                <Time value={due} mode="absolute" />
              </>
            )}
          </Fragment>,
        ],
        ["Created", <Time key="created" value={account.created_at} mode="absolute" />],
        ["Members", formatCount(account.members, "member")],
        ["Keys", formatCount(account.keys, "active key")],
        ...(usage === null
          ? []
          : ([
              ["Last 30 days", formatCount(usage.requests, "run")],
              ["Cost and charge", `${amountText(usage.cost)} and ${amountText(usage.charge)}`],
            ] as const)),
        [
          "Usage",
          <Link
            key="usage"
            href={`/operator/all-usage?account_id=${account.id}`}
            className="text-accent hover:underline"
          >
            By day, model and key
          </Link>,
        ],
      ]}
    />
  );
}

function amountText({ amount, currency }: OperatorUsageList["total"]["cost"]): string {
  return amount === null ? "not priced" : formatMoney(amount, currency);
}
