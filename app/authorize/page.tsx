import { BadgeCheck, TriangleAlert } from "lucide-react";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { AccountMembership } from "#contract/accounts/account.ts";
import { askedNames } from "#contract/connection-constants.ts";
import type { AuthorizationAsked, AuthorizationRequest } from "#contract/connections.ts";
import { WithWords } from "@/app/with-words";
import { ConsentForm } from "@/components/connections/consent-form";
import { modelChoices } from "@/components/connections/model-choices";
import { Mark } from "@/components/shell/shell-icon";
import { Facts } from "@/components/ui/facts";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import type { RouteProps, SearchParams } from "@/lib/page-props";
import { getAttestationDesk, getModels } from "@/lib/server/gateway/reads";
import { listAccounts, requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { words } from "@/lib/server/words";

export async function generateMetadata() {
  return { title: (await words("authorize"))("connectAClient") };
}

/** The consent page: which client requests access, and what it will be allowed to do. */
export default async function AuthorizePage({ searchParams }: RouteProps) {
  const t = await words("authorize");
  const session = await requireSession();
  const search = await searchParams;
  const asked = askedIn(search);
  if (!asked) return <Refused error={localFailure("invalid_parameter", t("aParameterOccursTwice"))} />;
  const [request, accounts, models, desk, money] = await Promise.all([
    requestRoute("POST /authorization/requests", { body: asked }),
    listAccounts(),
    getModels(),
    getAttestationDesk(),
    requestRoute("GET /account/budgets"),
  ]);
  const choice = accounts.ok && accounts.data.length > 1 && (
    <AccountChoice accounts={accounts.data} current={session.accountId} search={search} />
  );
  if (!request.ok) return <Refused error={request.error}>{choice}</Refused>;
  const { client, refused_url: refused, denied_url: denied, scopes } = request.data;
  if (refused !== null) redirect(refused);
  return (
    <Frame
      title={t("connectName", { name: client.name })}
      description={t("thisClientWantsToRun", { name: session.name })}
    >
      <AskerFacts request={request.data} />
      {choice}
      <ConsentForm
        asked={asked}
        clientName={client.name}
        scopes={scopes}
        models={modelChoices(
          models.ok ? models.data.data : [],
          desk.ok ? desk.data.attestations.statements : [],
        )}
        currency={money.ok ? money.data.currency : undefined}
        deniedUrl={denied}
      />
    </Frame>
  );
}

async function Refused({ error, children }: { error: GatewayFailure; children?: ReactNode }) {
  const t = await words("authorize");
  return (
    <Frame title={t("thisClientCannotBeConnected")} description={t("noDataWasSharedWith")}>
      <ErrorPanel error={error} />
      {children}
    </Frame>
  );
}

interface FrameProps {
  title: string;
  description: string;
  children: ReactNode;
}

function Frame({ title, description, children }: FrameProps) {
  return (
    <WithWords parts={["ui", "fields", "nouns", "amounts", "connections", "keys"]}>
      <main className="flex min-h-dvh flex-col items-center gap-6 px-4 py-10">
        <div className="flex items-center gap-2.5 text-title font-semibold">
          <Mark className="size-7" />
          Gatehouse
        </div>
        <div className="flex w-full max-w-[560px] flex-col gap-5 rounded-panel border bg-panel p-6 max-phone:p-4">
          <div>
            <h1 className="text-page font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
            <p className="text-muted">{description}</p>
          </div>
          {children}
        </div>
      </main>
    </WithWords>
  );
}

/**
 * Parses the client's request in the address of the consent page. Null if a parameter occurs twice, because
 * it is then unclear which one counts.
 */
function askedIn(search: SearchParams): AuthorizationAsked | null {
  const given = askedNames.flatMap((name) =>
    search[name] === undefined ? [] : [[name, search[name]] as const],
  );
  if (given.some(([, value]) => Array.isArray(value))) return null;
  return Object.fromEntries(given);
}

interface AccountChoiceProps {
  accounts: readonly AccountMembership[];
  current: string;
  search: SearchParams;
}

/** Chooses the account to which the client is connected. The address names it. */
async function AccountChoice({ accounts, current, search }: AccountChoiceProps) {
  const t = await words("authorize");
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (typeof value === "string") query.set(name, value);
  return (
    <nav aria-label={t("accountToConnect")}>
      <p className="mb-1 text-table font-medium">{t("account")}</p>
      <ul className="flex flex-wrap gap-2">
        {accounts.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`/a/${id}/authorize?${query}`}
              aria-current={id === current ? "true" : undefined}
              className="inline-flex min-h-6 items-center rounded-control border px-3 py-1 wrap-anywhere hover:bg-sunken aria-current:border-accent aria-current:font-medium"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The client, how certain its identity is, and where the browser goes afterwards. */
async function AskerFacts({ request }: { request: AuthorizationRequest }) {
  const t = await words("authorize");
  const { client, redirect_host: host, redirect_kind: kind } = request;
  return (
    <div className="flex flex-col gap-3">
      <Facts
        facts={[
          [t("client"), client.name],
          [t("knownAs"), client.host ?? t("unknownClient")],
          [t("returnsTo"), t("goesTo", { kind, host })],
        ]}
      />
      {client.verified ? (
        <p className="flex gap-2 text-table text-muted">
          <BadgeCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-good" />
          <span>
            {t.rich(
              "hostConfirms",
              { host: client.host ?? "" },
              {
                b: (content) => (
                  <strong key="host" className="font-medium text-ink wrap-anywhere">
                    {content}
                  </strong>
                ),
              },
            )}
          </span>
        </p>
      ) : (
        <p className="flex gap-2 rounded-control bg-warn-soft p-3 text-table">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span>{t("nobodyHasCheckedWhoThis")}</span>
        </p>
      )}
    </div>
  );
}
