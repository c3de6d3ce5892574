import { searchLimits } from "#contract/search-words.ts";
import { page, titleOf } from "@/app/console-page";
import { EverybodyOut } from "@/components/operator/accounts/everybody-out";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/form/input-fields";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";

const head = { title: "accounts" } as const;

export const generateMetadata = titleOf(head);

/** The accounts of this installation. The page of each has its state, limits and credit. */
export default page(
  { ...head, description: "Limits and credit of each account." },
  async ({ search, requestRoute }) => {
    const { q: asked, plan_id: planId } = search;
    const q = typeof asked === "string" ? asked.slice(0, searchLimits.length) : "";
    const ofPlan = typeof planId === "string" ? { plan_id: planId } : {};
    const accounts = await requestRoute("GET /operator/accounts", { query: { ...(q && { q }), ...ofPlan } });
    return (
      <>
        <p className="mb-4 flex flex-wrap gap-x-4">
          <Link href="/operator/accounts/plans" className="text-accent hover:underline">
            Plans
          </Link>
          <Link href="/operator/accounts/deleted" className="text-accent hover:underline">
            Deleted accounts
          </Link>
          {"plan_id" in ofPlan && (
            <Link href="/operator/accounts" className="text-accent hover:underline">
              Accounts of all plans
            </Link>
          )}
        </p>
        <search>
          <form className="mb-4 flex max-w-120 items-end gap-2">
            <InputField
              label="Name or id"
              className="grow"
              name="q"
              type="search"
              defaultValue={q}
              maxLength={searchLimits.length}
            />
            {"plan_id" in ofPlan && <input type="hidden" name="plan_id" value={ofPlan.plan_id} />}
            <Button type="submit">Search</Button>
          </form>
        </search>
        {!accounts.ok ? (
          <LoadFailure error={accounts.error} />
        ) : accounts.data.data.length === 0 ? (
          <EmptyState title="No account found" body="Search for another part of the account's name." />
        ) : (
          <>
            <Table label="Accounts">
              <thead>
                <tr>
                  <Th>Name</Th>
                  <Th>Id</Th>
                </tr>
              </thead>
              <tbody>
                {accounts.data.data.map(({ id, name }) => (
                  <Tr key={id}>
                    <Td className="wrap-anywhere">
                      <Link href={`/operator/accounts/${id}`} className="text-accent hover:underline">
                        {name}
                      </Link>
                    </Td>
                    <Td className="font-mono text-meta text-muted wrap-anywhere" label="Id">
                      {id}
                    </Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
            {accounts.data.has_more && (
              <p className="mt-3 text-muted">There are more accounts. Search for a part of the name.</p>
            )}
          </>
        )}
        <div className="mt-8">
          <Section
            title="Everybody out"
            description="After a leak: for all accounts here, for one account on its page."
          >
            <EverybodyOut />
          </Section>
        </div>
      </>
    );
  },
);
