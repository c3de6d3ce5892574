import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { AccountChoice } from "@/components/connections/account-choice";
import { AskerFacts } from "@/components/connections/asker-facts";
import { ConsentForm } from "@/components/connections/consent-form";
import { modelChoices } from "@/components/connections/model-choices";
import { Mark } from "@/components/shell/mark";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { askedIn } from "@/lib/asked";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import type { RouteProps } from "@/lib/page-props";
import { getAttestationDesk } from "@/lib/server/gateway/account";
import { getModels } from "@/lib/server/gateway/models";
import { listAccounts, requestRoute } from "@/lib/server/gateway/request";
import { requireSession } from "@/lib/server/session";
import { allow } from "./actions.ts";

export const metadata: Metadata = { title: "Connect a client" };

/** Where a client sends a person who connects it: who asks, and how much it gets. */
export default async function AuthorizePage({ searchParams }: RouteProps) {
  const session = await requireSession();
  const search = await searchParams;
  const asked = askedIn(search);
  if (!asked)
    return (
      <Refused error={localFailure("invalid_parameter", "The client’s address says something twice.")} />
    );
  const [request, accounts, models, desk] = await Promise.all([
    requestRoute("POST /authorization/requests", { body: asked }),
    listAccounts(),
    getModels(),
    getAttestationDesk(),
  ]);
  const choice = accounts.ok && accounts.data.length > 1 && (
    <AccountChoice accounts={accounts.data} current={session.accountId} search={search} />
  );
  if (!request.ok) return <Refused error={request.error}>{choice}</Refused>;
  const { client, refused_url: refused, denied_url: denied, scopes } = request.data;
  if (refused !== null) redirect(refused);
  return (
    <Frame
      title={`Connect ${client.name}?`}
      description={`It asks to run models in your name, ${session.name}.`}
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
        deniedUrl={denied}
        allow={allow}
      />
    </Frame>
  );
}

function Refused({ error, children }: { error: GatewayFailure; children?: ReactNode }) {
  return (
    <Frame
      title="This client cannot be connected"
      description="Nothing was given to it, and nothing was sent to it."
    >
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
  );
}
