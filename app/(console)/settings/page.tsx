import type { Metadata } from "next";
import { AccountFacts } from "@/components/settings/account-facts";
import { DisplaySettings } from "@/components/settings/display-settings";
import { HistoryFacts } from "@/components/settings/history-facts";
import { NameForm } from "@/components/settings/name-form";
import { SecondFactorRule } from "@/components/settings/second-factor-rule";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { getAccount, getHistory } from "@/lib/server/gateway/account";
import { renameAccount, requireSecondFactor } from "./actions.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const [account, history] = await Promise.all([getAccount(), getHistory()]);
  return (
    <>
      <PageHeader
        title="Settings"
        description="Display settings of this browser, and the account you are signed in to."
      />
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Section title="Display" description="Saved in this browser only.">
          <DisplaySettings />
        </Section>
        <Section title="Account">
          {account.ok ? (
            <div className="flex flex-col gap-4">
              <AccountFacts account={account.data} />
              {account.data.user && account.data.permissions.includes("account:manage") && (
                <NameForm
                  label="Account name"
                  hint="Everybody in this account sees it, and who is invited."
                  name={account.data.name}
                  save={renameAccount}
                />
              )}
            </div>
          ) : account.error.code === "route_not_found" ? (
            <p className="text-muted">
              Signed in with an account key. This gateway does not show which account it belongs to.
            </p>
          ) : (
            <LoadFailure error={account.error} />
          )}
        </Section>
        {account.ok && account.data.user && (
          <Section title="Signing in">
            <SecondFactorRule
              account={account.data}
              change={account.data.permissions.includes("account:manage") ? requireSecondFactor : null}
            />
          </Section>
        )}
        {history.ok && (
          <Section title="History" description="How long rows are kept; files go after their retention.">
            <HistoryFacts history={history.data} />
          </Section>
        )}
      </div>
    </>
  );
}
