import { page } from "@/app/console-page";
import { CreditForm, EndPrepayment } from "@/components/operator/accounts/credit-form";
import { CreditHistory, PrepaidBalance } from "@/components/settings/credit-history";
import { Pager } from "@/components/ui/list/pager";
import { ReturnToRow } from "@/components/ui/list/use-return-to-row";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { pageQueryOf } from "@/lib/page-props";

export const metadata = { title: "Account" };

export default page<"id">(metadata, async ({ params: { id }, search, requestRoute, need }) => {
  const [accounts, credits, own] = await Promise.all([
    requestRoute("GET /operator/accounts", { query: { ids: id } }),
    need(requestRoute("GET /operator/accounts/{id}/credits", { params: { id }, query: pageQueryOf(search) })),
    requestRoute("GET /account/budgets"),
  ]);
  const name = (accounts.ok && accounts.data.data[0]?.name) || id;
  const { prepaid, data } = credits;
  const currency = prepaid?.currency ?? (own.ok ? own.data.currency : "the installation’s currency");
  return (
    <>
      <ReturnToRow list="/operator/accounts" />
      <PageHeader title={name} description={id} />
      <div className="grid gap-x-8 desktop:grid-cols-2">
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
