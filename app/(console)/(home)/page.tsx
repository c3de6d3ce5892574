import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { Permission } from "#contract/accounts/permissions.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { FirstSteps as Steps } from "#contract/summary.ts";
import { SmallActivity } from "@/components/activity/small-activity";
import { type Expiring, expiringSoon } from "@/components/home/expiring";
import { Figures } from "@/components/home/figures";
import { FirstSteps } from "@/components/home/first-steps";
import { homeFigures } from "@/components/home/home-figures";
import { type Need, needsOf } from "@/components/home/needs";
import { StepsOnHome } from "@/components/operator/first-steps/steps-on-home";
import { LazyRememberedPredictions } from "@/components/predictions/list/lazy-remembered";
import { PredictionSubject } from "@/components/predictions/list/prediction-subject";
import { SaveEverything } from "@/components/predictions/save-everything";
import { LinkButton } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Duration } from "@/components/ui/quantity";
import { StatusPill } from "@/components/ui/status-pill";
import { Countdown, Time } from "@/components/ui/time";
import { firstCall } from "@/lib/guides/snippets/first-call";
import { env } from "@/lib/server/env";
import { getAccount } from "@/lib/server/gateway/account";
import { visitorsPreferences } from "@/lib/server/preferences";
import { requireSession } from "@/lib/server/session";
import { predictionLook } from "@/lib/status/prediction";
import { loadHome, rowsOf } from "./home-data.ts";

export const metadata: Metadata = { title: "Home" };

const runsShown = 10;
/** Short enough that a step is ticked off soon after a command in a terminal. */
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
  const { counts, predictions, expiring } = data;
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
  // Nothing has run yet: the rest of the page would be empty boxes.
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
            </div>
          </div>
        </>
      )}
    </>
  );
}

function isBeginning(steps: Steps): boolean {
  return Object.values(steps).includes(false);
}

/** The page lists no more problems; a link leads to the rest. */
const maxNeeds = 3;

/** Problems that somebody must fix, each with a button; one line when there are none. */
function NeedsYou({ needs }: { needs: readonly Need[] }) {
  if (needs.length === 0)
    return (
      <p className="mb-6 flex items-center gap-2 text-muted">
        <CircleCheck size={16} aria-hidden className="text-good" />
        No problems right now.
      </p>
    );
  return (
    <section aria-label="Needs attention" className="mb-6">
      <ul className="overflow-hidden rounded-panel border bg-panel">
        {needs.slice(0, maxNeeds).map(({ key, tone, title, detail, action, saves }) => {
          const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
          return (
            <li
              key={key}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0"
            >
              <Icon size={18} aria-hidden className={tone === "bad" ? "text-bad" : "text-warn"} />
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-medium wrap-anywhere">{title}</p>
                <p className="text-table text-muted wrap-anywhere">{detail}</p>
              </div>
              {saves && <SaveEverything predictions={saves} size="sm" />}
              <LinkButton size="sm" href={action.href}>
                {action.label}
              </LinkButton>
            </li>
          );
        })}
      </ul>
      {needs.length > maxNeeds && (
        <p className="mt-2 text-table">
          <Link href="/notices" className="text-accent underline underline-offset-2">
            and {needs.length - maxNeeds} more
          </Link>
        </p>
      )}
    </section>
  );
}

function RecentRuns({ predictions }: { predictions: readonly Prediction[] }) {
  if (predictions.length === 0)
    return (
      <EmptyState
        drawing="frames"
        title="No runs in the last 24 hours"
        body="Choose a model and run it. Results appear here."
        action={
          <LinkButton variant="primary" href="/catalog">
            Open the catalog
          </LinkButton>
        }
      />
    );
  return (
    <Table label="Recent runs">
      <thead>
        <tr>
          <Th>Prediction</Th>
          <Th>Status</Th>
          <Th>Created</Th>
          <Th numeric>Duration</Th>
        </tr>
      </thead>
      <tbody>
        {predictions.map((prediction) => {
          const look = predictionLook(prediction.status);
          const seconds = prediction.metrics.total_time;
          return (
            <Tr key={prediction.id}>
              <Td className="w-full max-w-0 min-w-40">
                <PredictionSubject prediction={prediction} withModel />
              </Td>
              <Td>
                <StatusPill label={look.label} tone={look.tone} icon={look.icon} title={look.meaning} />
              </Td>
              <Td label="Created">
                <Time value={prediction.created_at} />
              </Td>
              <Td numeric label="Duration">
                <Duration ms={seconds === null ? null : seconds * 1000} />
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}

const maxShown = 8;

/** Files that will be removed within hours, so that people save what they want to keep. */
function ExpiringList({ expiring }: { expiring: readonly Expiring[] }) {
  if (expiring.length === 0)
    return <p className="text-muted">No files will be removed in the next six hours.</p>;
  return (
    <>
      <ul className="overflow-hidden rounded-panel border bg-panel">
        {expiring.slice(0, maxShown).map((entry) => (
          <li key={entry.id} className="border-b last:border-b-0">
            <Link
              href={entry.href}
              className="row-padding flex items-center justify-between gap-3 px-3 text-table hover:bg-sunken focus-visible:-outline-offset-2!"
            >
              <span className="truncate font-mono">{entry.label}</span>
              <span className="shrink-0 text-muted">
                in <Countdown until={entry.at} ended="a moment" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {expiring.length > maxShown && (
        <p className="mt-2 text-table text-muted">and {expiring.length - maxShown} more</p>
      )}
    </>
  );
}
