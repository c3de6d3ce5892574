import type { Account, History } from "#contract/accounts/account.ts";
import type { Guard } from "#contract/guards.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
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
import { formatBytes } from "@/lib/format";
import { getAccount } from "@/lib/server/gateway/reads";
import { getIdentityProvider } from "@/lib/server/gateway/sign-in";

const head = headOf({
  title: "settings",
  parts: ["settings", "keys", "amounts"],
  description: "pageDescription",
});

export const generateMetadata = titleOf(head);

export default page(head, async ({ t, requestRoute }) => {
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
    // Columns leave no holes between parts of unequal height, and are read and tabbed through one after the other.
    <div className="gap-x-8 desktop:columns-2 *:break-inside-avoid">
      <Section title={t("display")} description={t("displayDescription")}>
        <DisplaySettings />
      </Section>
      <Section title={t("account")}>
        {account.ok ? (
          <div className="flex flex-col gap-4">
            <AccountFacts account={account.data} />
            {account.data.user && managed && (
              <NameForm
                label={t("accountName")}
                hint={t("accountNameHint")}
                name={account.data.name}
                route="PATCH /account"
              />
            )}
          </div>
        ) : account.error.code === "route_not_found" ? (
          <p className="text-muted">{t("accountUnknown")}</p>
        ) : (
          <LoadFailure error={account.error} />
        )}
      </Section>
      {account.ok && account.data.user && (
        <Section title={t("signingIn")}>
          <div className="flex flex-col gap-5">
            <SecondFactorRule account={account.data} mayChange={managed} />
            {(providerName || account.data.sign_in === "provider") && (
              <ProviderRule
                name={providerName ?? t("theIdentityProvider")}
                account={account.data}
                mayChange={managed}
              />
            )}
            {providerName && profile.ok && profile.data.operator && (
              <p className="text-table text-muted">
                {t.rich(
                  "operatorsCanTest",
                  {},
                  {
                    link: (text) => (
                      <Link key="link" href="/settings/identity-provider" className="text-accent underline">
                        {text}
                      </Link>
                    ),
                  },
                )}
              </p>
            )}
          </div>
        </Section>
      )}
      {networks.ok && (
        <Section title={t("networks")} description={t("networksDescription")}>
          <NetworksForm networks={networks.data} />
        </Section>
      )}
      {account.ok && account.data.user && (
        <Section title={t("sharing")}>
          <GatedSharingRule account={account.data} mayChange={managed} />
        </Section>
      )}
      {account.ok && account.data.user && managed && (
        <Section title={t("guard")} description={t("guardDescription")}>
          <GuardLine guard={guard.ok ? guard.data : null} />
        </Section>
      )}
      {account.ok && account.data.user && account.data.extensions && (
        <Section title={t("callbacks")} description={t("callbacksDescription")}>
          <WithWords parts={["secrets"]}>
            <CallbackRule account={account.data} mayChange={managed} />
          </WithWords>
        </Section>
      )}
      {money.ok && (
        <Section title={t("budgets")} description={t("budgetsDescription")}>
          <AccountBudgets
            accountId={account.ok ? account.data.id : ""}
            money={money.data}
            credits={credits.ok ? credits.data.data : []}
          />
        </Section>
      )}
      {limits.ok && (
        <Section title={t("limits")} description={t("limitsDescription")}>
          <LimitFacts limits={limits.data} storedBytes={limits.data.stored_bytes} plan={limits.data.plan} />
        </Section>
      )}
      {account.ok && account.data.user && managed && (
        <Section title={t("usageByMetadata")} description={t("usageByMetadataDescription")}>
          <UsageKeysForm keys={account.data.usage_keys} />
        </Section>
      )}
      {account.ok && account.data.user && account.data.extensions && (
        <Section title={t("whatCallsSaid")} description={t("whatCallsSaidDescription")}>
          <ContentsRule account={account.data} maxDays={account.data.contents_max_days} mayChange={managed} />
        </Section>
      )}
      {account.ok && account.data.user && account.data.extensions && (
        <Section title={t("retention")} description={t("retentionDescription")}>
          <RetentionRule
            account={account.data}
            shortest={limits.ok ? limits.data.shortest_retention_minutes : null}
            mayChange={managed}
          />
        </Section>
      )}
      {history.ok && (
        <Section title={t("history")} description={t("historyDescription")}>
          <HistoryFacts history={history.data} />
        </Section>
      )}
      {account.ok && account.data.user && account.data.extensions && managed && (
        <Section title={t("exportTitle")} description={t("exportDescription")}>
          <ExportAccount accountName={account.data.name} />
        </Section>
      )}
      {account.ok && account.data.user && managed && !account.data.deletion && (
        <Section title={t("deleteTitle")} description={t("deleteDescription")}>
          <DeleteAccount accountName={account.data.name} />
        </Section>
      )}
    </div>
  );
});

/** The signed-in person or key of this browser. */
function AccountFacts({ account }: { account: Account }) {
  const t = useWords("settings");
  return (
    <Facts
      facts={[
        [
          t("account"),
          <span key="name" data-name>
            {account.name}
          </span>,
        ],
        [t("accountId"), <IdChip key="id" id={account.id} />],
        [t("created"), <Time key="since" value={account.created_at} mode="absolute" />],
        ...(account.user
          ? ([
              [
                t("signedInAs"),
                <span key="user" data-name>
                  {account.user.name}
                </span>,
              ],
              [
                t("eMail"),
                <span key="email" data-name>
                  {account.user.email}
                </span>,
              ],
            ] as const)
          : []),
        ...(account.key
          ? ([
              [
                t("signedInWithKey"),
                <span key="key" data-name>
                  {account.key.name}
                </span>,
              ],
              [
                t("scopes"),
                <span key="scopes" className="inline-flex flex-wrap gap-1">
                  {account.key.scopes.map((scope) => (
                    <Badge key={scope}>
                      <span translate="no">{scope}</span>
                    </Badge>
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
  const t = useWords("settings");
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1 basis-48 wrap-anywhere">
        {guard ? <code translate="no">{guard.url}</code> : t("noGuardYet")}{" "}
        {guard && !guard.enabled && <Badge>{t("off")}</Badge>}
        {guard?.enabled && guard.failing_since && <Badge tone="bad">{t("failing")}</Badge>}
      </p>
      <LinkButton href="/settings/guard">{t("openTheGuard")}</LinkButton>
    </div>
  );
}

/** How long this gateway keeps rows, and the storage that keeping them without end costs. */
function HistoryFacts({ history }: { history: History }) {
  const t = useWords("settings");
  const keptFor = (days: number | null) => (days === null ? t("keptForever") : t("keptFor", { count: days }));
  return (
    <>
      <Facts
        facts={[
          [t("historyRows"), keptFor(history.days)],
          [t("auditLog"), keptFor(history.audit_days)],
          [t("databaseSize"), t("ofAllAccounts", { size: formatBytes(history.size_bytes) })],
        ]}
      />
      {history.days === null && (
        <p className="mt-3 text-muted">
          {t.rich("databaseGrows", {}, { code: (text) => <code key="setting">{text}</code> })}
        </p>
      )}
    </>
  );
}
