import type { Account, History } from "#contract/accounts/account.ts";
import type { Guard } from "#contract/guards.ts";
import { page, titleOf } from "@/app/console-page";
import { WithWords } from "@/app/with-words";
import { AccountBudgets } from "@/components/settings/account-budgets";
import {
  CallbackRule,
  GatedSharingRule,
  ProviderRule,
  SecondFactorRule,
  UsageKeysForm,
} from "@/components/settings/account-rules";
import { ContentsRule } from "@/components/settings/contents-rule";
import { DeleteAccount } from "@/components/settings/delete-account";
import { DisplaySettings } from "@/components/settings/display-settings";
import { ExportAccount } from "@/components/settings/export-account";
import { LimitFacts } from "@/components/settings/limit-facts";
import { NameForm } from "@/components/settings/name-form";
import { NetworksForm } from "@/components/settings/networks-form";
import { RetentionRule } from "@/components/settings/retention-rule";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatBytes, formatCount } from "@/lib/format";
import { getAccount } from "@/lib/server/gateway/reads";
import { getIdentityProvider } from "@/lib/server/gateway/sign-in";

const head = { title: "settings", also: ["keys", "amounts"] } as const;

export const generateMetadata = titleOf(head);

export default page(
  { ...head, description: "Display settings of this browser, and the current account." },
  async ({ requestRoute }) => {
    const [account, history, provider, profile, money, credits, limits, networks, guard] = await Promise.all([
      getAccount(),
      requestRoute("GET /account/history"),
      getIdentityProvider(),
      requestRoute("GET /account/profile"),
      requestRoute("GET /account/budgets"),
      requestRoute("GET /account/credits"),
      requestRoute("GET /account/limits"),
      requestRoute("GET /account/networks"),
      requestRoute("GET /account/guard"),
    ]);
    const providerName = provider.ok ? provider.data.name : null;
    const managed =
      account.ok && account.data.extensions === true && account.data.permissions.includes("account:manage");
    return (
      <div className="grid gap-x-8 desktop:grid-cols-2">
        <Section title="Display" description="Saved in this browser only.">
          <DisplaySettings />
        </Section>
        <Section title="Account">
          {account.ok ? (
            <div className="flex flex-col gap-4">
              <AccountFacts account={account.data} />
              {account.data.user && managed && (
                <NameForm
                  label="Account name"
                  hint="Shown to everybody in this account and to people you invite."
                  name={account.data.name}
                  route="PATCH /account"
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
            <div className="flex flex-col gap-5">
              <SecondFactorRule account={account.data} mayChange={managed} />
              {(providerName || account.data.sign_in === "provider") && (
                <ProviderRule
                  name={providerName ?? "the identity provider"}
                  account={account.data}
                  mayChange={managed}
                />
              )}
              {providerName && profile.ok && profile.data.operator && (
                <p className="text-table text-muted">
                  As an operator, you can{" "}
                  <Link href="/settings/identity-provider" className="text-accent hover:underline">
                    test a sign-in with the identity provider
                  </Link>
                  .
                </p>
              )}
            </div>
          </Section>
        )}
        {networks.ok && (
          <Section
            title="Networks"
            description="From elsewhere, people and keys of this account are refused."
          >
            <NetworksForm networks={networks.data} />
          </Section>
        )}
        {account.ok && account.data.user && (
          <Section title="Sharing">
            <GatedSharingRule account={account.data} mayChange={managed} />
          </Section>
        )}
        {account.ok && account.data.user && managed && (
          <Section title="Guard" description="A program of yours that is asked about each run.">
            <GuardLine guard={guard.ok ? guard.data : null} />
          </Section>
        )}
        {account.ok && account.data.user && account.data.extensions && (
          <Section
            title="Callbacks"
            description="Requests can name their own receiver, in callback_url or Replicate’s webhook."
          >
            <WithWords parts={["secrets"]}>
              <CallbackRule account={account.data} mayChange={managed} />
            </WithWords>
          </Section>
        )}
        {money.ok && (
          <Section title="Budgets" description="The amount that all keys and members together may spend.">
            <AccountBudgets
              accountId={account.ok ? account.data.id : ""}
              money={money.data}
              credits={credits.ok ? credits.data.data : []}
            />
          </Section>
        )}
        {limits.ok && (
          <Section
            title="Limits"
            description="For all keys and members together. The operator of this gateway sets them."
          >
            <LimitFacts limits={limits.data} storedBytes={limits.data.stored_bytes} plan={limits.data.plan} />
          </Section>
        )}
        {account.ok && account.data.user && managed && (
          <Section
            title="Usage by metadata"
            description="Programs can tag requests with metadata, such as a customer. Usage is summed by the values of these keys."
          >
            <UsageKeysForm keys={account.data.usage_keys} />
          </Section>
        )}
        {account.ok && account.data.user && account.data.extensions && (
          <Section
            title="What calls said"
            description="Whether the account keeps what each call was sent and what it answered."
          >
            <ContentsRule
              account={account.data}
              maxDays={account.data.contents_max_days}
              mayChange={managed}
            />
          </Section>
        )}
        {account.ok && account.data.user && account.data.extensions && (
          <Section title="Retention" description="When inputs and outputs are removed.">
            <RetentionRule
              account={account.data}
              shortest={limits.ok ? limits.data.shortest_retention_minutes : null}
              mayChange={managed}
            />
          </Section>
        )}
        {history.ok && (
          <Section
            title="History"
            description="How long history is kept. Files are removed after their own retention time."
          >
            <HistoryFacts history={history.data} />
          </Section>
        )}
        {account.ok && account.data.user && account.data.extensions && managed && (
          <Section
            title="Export"
            description="Everything in this account as ZIP files: rows, files and the audit log, without secrets."
          >
            <ExportAccount accountName={account.data.name} />
          </Section>
        )}
        {account.ok && account.data.user && managed && !account.data.deletion && (
          <Section
            title="Delete this account"
            description="Everything in it is deleted a week after you confirm. You can cancel until then."
          >
            <DeleteAccount accountName={account.data.name} />
          </Section>
        )}
      </div>
    );
  },
);

/** The signed-in person or key of this browser. */
function AccountFacts({ account }: { account: Account }) {
  return (
    <Facts
      facts={[
        ["Account", account.name],
        ["Account id", <IdChip key="id" id={account.id} />],
        ["Created", <Time key="since" value={account.created_at} mode="absolute" />],
        ...(account.user
          ? ([
              ["Signed in as", account.user.name],
              ["E-mail", account.user.email],
            ] as const)
          : []),
        ...(account.key
          ? ([
              ["Signed in with key", account.key.name],
              [
                "Scopes",
                <span key="scopes" className="inline-flex flex-wrap gap-1">
                  {account.key.scopes.map((scope) => (
                    <Badge key={scope}>{scope}</Badge>
                  ))}
                </span>,
              ],
            ] as const)
          : []),
      ]}
    />
  );
}

/** Whether there is a guard, whether it works, and the way to its page. */
function GuardLine({ guard }: { guard: Guard | null }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
        {guard ? <code translate="no">{guard.url}</code> : "No guard yet."}{" "}
        {guard && !guard.enabled && <Badge>off</Badge>}
        {guard?.enabled && guard.failing_since && <Badge tone="bad">failing</Badge>}
      </p>
      <LinkButton href="/settings/guard">Open the guard</LinkButton>
    </div>
  );
}

/** How long this gateway keeps rows, and the storage that keeping them without end costs. */
function HistoryFacts({ history }: { history: History }) {
  return (
    <>
      <Facts
        facts={[
          ["Predictions, uploads, deliveries, saved conversations", keptFor(history.days)],
          ["Audit log", keptFor(history.audit_days)],
          ["Size in the database", `${formatBytes(history.size_bytes)}, all accounts together`],
        ]}
      />
      {history.days === null && (
        <p className="mt-3 text-muted">
          The database grows with every prediction and delivery. The operator of this gateway can limit that
          with the setting <code>HISTORY_DAYS</code>.
        </p>
      )}
    </>
  );
}

function keptFor(days: number | null): string {
  return days === null ? "Kept forever" : `Kept for ${formatCount(days, "day")}`;
}
