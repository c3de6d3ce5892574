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
import { SettingsParts } from "@/components/settings/settings-parts";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
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
  const [read, history, provider, profile, money, credits, limits, networks, guard] = await Promise.all([
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
  const account = read.ok ? read.data : null;
  /** The account as a person sees it: a key neither sees nor sets its rules. */
  const own = account?.user ? account : null;
  const managed = account?.extensions === true && account.permissions.includes("account:manage");
  return (
    <SettingsParts
      groups={[
        {
          id: "general",
          title: t("general"),
          parts: [
            {
              id: "account",
              title: t("account"),
              content: read.ok ? (
                <div className="flex flex-col gap-4">
                  <AccountFacts account={read.data} />
                  {own && managed && (
                    <NameForm
                      label={t("accountName")}
                      hint={t("accountNameHint")}
                      name={own.name}
                      route="PATCH /account"
                    />
                  )}
                </div>
              ) : read.error.code === "route_not_found" ? (
                <p className="text-muted">{t("accountUnknown")}</p>
              ) : (
                <LoadFailure error={read.error} />
              ),
            },
            {
              id: "display",
              title: t("display"),
              description: t("displayDescription"),
              content: <DisplaySettings />,
            },
          ],
        },
        {
          id: "access",
          title: t("access"),
          parts: [
            own !== null && {
              id: "signing-in",
              title: t("signingIn"),
              inCard: true,
              content: (
                <div className="flex flex-col gap-5">
                  <SecondFactorRule account={own} mayChange={managed} />
                  {(providerName || own.sign_in === "provider") && (
                    <ProviderRule
                      name={providerName ?? t("theIdentityProvider")}
                      account={own}
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
                            <Link
                              key="link"
                              href="/settings/identity-provider"
                              className="text-accent underline"
                            >
                              {text}
                            </Link>
                          ),
                        },
                      )}
                    </p>
                  )}
                </div>
              ),
            },
            networks.ok && {
              id: "networks",
              title: t("networks"),
              description: t("networksDescription"),
              content: <NetworksForm networks={networks.data} />,
            },
            own !== null && {
              id: "sharing",
              title: t("sharing"),
              inCard: true,
              content: <GatedSharingRule account={own} mayChange={managed} />,
            },
            own !== null &&
              managed && {
                id: "guard",
                title: t("guard"),
                description: t("guardDescription"),
                inCard: true,
                content: <GuardLine guard={guard.ok ? guard.data : null} />,
              },
            own?.extensions === true && {
              id: "callbacks",
              title: t("callbacks"),
              description: t("callbacksDescription"),
              content: (
                <WithWords parts={["secrets"]}>
                  <CallbackRule account={own} mayChange={managed} />
                </WithWords>
              ),
            },
          ],
        },
        {
          id: "spending",
          title: t("spending"),
          parts: [
            money.ok && {
              id: "budgets",
              title: t("budgets"),
              description: t("budgetsDescription"),
              content: (
                <AccountBudgets
                  accountId={account?.id ?? ""}
                  money={money.data}
                  credits={credits.ok ? credits.data.data : []}
                />
              ),
            },
            limits.ok && {
              id: "limits",
              title: t("limits"),
              description: t("limitsDescription"),
              content: (
                <LimitFacts
                  limits={limits.data}
                  storedBytes={limits.data.stored_bytes}
                  plan={limits.data.plan}
                />
              ),
            },
            own !== null &&
              managed && {
                id: "usage-by-metadata",
                title: t("usageByMetadata"),
                description: t("usageByMetadataDescription"),
                content: <UsageKeysForm keys={own.usage_keys} />,
              },
          ],
        },
        {
          id: "data",
          title: t("data"),
          parts: [
            own?.extensions === true && {
              id: "contents",
              title: t("whatCallsSaid"),
              description: t("whatCallsSaidDescription"),
              content: <ContentsRule account={own} maxDays={own.contents_max_days} mayChange={managed} />,
            },
            own?.extensions === true && {
              id: "retention",
              title: t("retention"),
              description: t("retentionDescription"),
              content: (
                <RetentionRule
                  account={own}
                  shortest={limits.ok ? limits.data.shortest_retention_minutes : null}
                  mayChange={managed}
                />
              ),
            },
            history.ok && {
              id: "history",
              title: t("history"),
              description: t("historyDescription"),
              content: <HistoryFacts history={history.data} />,
            },
            own !== null &&
              managed && {
                id: "export",
                title: t("exportTitle"),
                description: t("exportDescription"),
                inCard: true,
                content: <ExportAccount accountName={own.name} />,
              },
            own !== null &&
              managed &&
              !own.deletion && {
                id: "delete",
                title: t("deleteTitle"),
                description: t("deleteDescription"),
                inCard: true,
                content: <DeleteAccount accountName={own.name} />,
              },
          ],
        },
      ]}
    />
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
