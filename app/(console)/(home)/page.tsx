import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { FirstSteps as Steps } from "#contract/summary.ts";
import { SmallActivity } from "@/components/activity/small-activity";
import { expiringSoon } from "@/components/home/expiring";
import { ExpiringList } from "@/components/home/expiring-list";
import { FailingDeliveries } from "@/components/home/failing-deliveries";
import { Figures } from "@/components/home/figures";
import { FirstSteps } from "@/components/home/first-steps";
import { homeFigures } from "@/components/home/home-figures";
import { needsOf } from "@/components/home/needs";
import { NeedsYou } from "@/components/home/needs-you";
import { RecentRuns } from "@/components/home/recent-runs";
import { StepsOnHome } from "@/components/operator/first-steps/steps-on-home";
import { LazyRememberedPredictions } from "@/components/predictions/list/lazy-remembered";
import { LinkButton } from "@/components/ui/button";
import { LivePage } from "@/components/ui/page/live-page";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { firstCall } from "@/lib/guides/snippets/first-call";
import { env } from "@/lib/server/env";
import { getAccount } from "@/lib/server/gateway/account";
import { visitorsPreferences } from "@/lib/server/preferences";
import { requireSession } from "@/lib/server/session";
import { loadHome, rowsOf } from "./home-data.ts";

export const metadata: Metadata = { title: "Home" };

const runsShown = 10;
/** Soon enough to see a step tick itself after a command in a terminal. */
const ticksEveryMs = 5_000;

export default async function HomePage() {
  await requireSession();
  const account = await getAccount();
  const may = (permission: Permission) =>
    !account.ok || account.data.user === null || account.data.permissions.includes(permission);
  if (!may("predictions:read")) redirect("/usage");
  const runs = may("operations:run");
  const nowMs = Date.now();
  const isOperator = account.ok && (account.data.user?.operator ?? false);
  const remindsOperator = isOperator && (await visitorsPreferences()).operatorSteps;
  const data = await loadHome(nowMs, remindsOperator);
  const { counts, predictions, retrying, deadLetters, expiring } = data;
  const regions = data.regions.ok ? data.regions.data.data : [];
  const needs = needsOf({
    deadLetters: counts.deliveries?.["dead-letter"] ?? null,
    endpoints: rowsOf(data.endpoints),
    expiring,
    unansweredKeys: may("attestations:answer") ? data.unansweredKeys : [],
    troubledRegions: regions.filter(({ status }) => status !== "healthy").map(({ id }) => id),
  });
  const offersRuns = predictions.ok || predictions.error.code !== "route_not_found";
  const { steps } = data;
  // Nothing has run: the rest of the page would be a row of empty boxes.
  const isNew = runs && steps !== null && !steps.ran_model && needs.length === 0;
  const command = firstCall.shell?.(`${env.mediaOrigin}/v1`) ?? "";
  return (
    <>
      <PageHeader
        title="Home"
        description={
          isNew
            ? "Five steps to your first result and your first event."
            : "Activity in the last 24 hours and problems to fix."
        }
        actions={
          <>
            <LivePage drawnAtMs={nowMs} {...(steps && isBeginning(steps) && { everyMs: ticksEveryMs })} />
            {runs && <LinkButton href="/compare">Try models side by side</LinkButton>}
            {runs && !isNew && (
              <LinkButton variant="primary" href="/catalog">
                Run a model
              </LinkButton>
            )}
          </>
        }
      />
      {data.stepsOfInstance && <StepsOnHome steps={data.stepsOfInstance} />}
      {runs && steps && <FirstSteps done={steps} command={command} />}
      {isNew ? null : (
        <>
          <NeedsYou needs={needs} />
          <Figures groups={homeFigures(counts)} />
          {data.activity.ok && data.activity.data.total.runs > 0 && (
            <Section
              title="Runs"
              description="Chats, predictions and rows of batches in the last 24 hours."
              actions={
                <LinkButton size="sm" variant="ghost" href="/activity">
                  Activity
                </LinkButton>
              }
            >
              <SmallActivity runs={data.activity.data} />
            </Section>
          )}
          <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
            <Section
              title={offersRuns ? "Recent runs" : "Runs from this browser"}
              actions={
                <LinkButton size="sm" variant="ghost" href="/predictions">
                  All predictions
                </LinkButton>
              }
            >
              {predictions.ok ? (
                <RecentRuns predictions={predictions.data.data.slice(0, runsShown)} />
              ) : offersRuns ? (
                <LoadFailure error={predictions.error} />
              ) : (
                <LazyRememberedPredictions />
              )}
            </Section>
            <div className="min-w-0">
              {offersRuns && (
                <Section title="Files removed soon">
                  <ExpiringList expiring={expiringSoon(expiring, rowsOf(data.uploads), nowMs)} />
                </Section>
              )}
              <Section title="Failed deliveries">
                {deadLetters.ok ? (
                  <FailingDeliveries deliveries={[...rowsOf(deadLetters), ...rowsOf(retrying)]} />
                ) : (
                  <LoadFailure error={deadLetters.error} />
                )}
              </Section>
            </div>
          </div>
        </>
      )}
    </>
  );
}

/** Whether there are steps left. */
function isBeginning(steps: Steps): boolean {
  return Object.values(steps).includes(false);
}
