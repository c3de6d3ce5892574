import type { Metadata } from "next";
import { ExpiringList } from "@/components/home/expiring-list";
import { FailingDeliveries } from "@/components/home/failing-deliveries";
import { Figures } from "@/components/home/figures";
import { homeFigures } from "@/components/home/home-figures";
import { needsOf } from "@/components/home/needs";
import { NeedsYou } from "@/components/home/needs-you";
import { RecentRuns } from "@/components/home/recent-runs";
import { expiringSoon, summarise } from "@/components/home/summary";
import { RememberedPredictions } from "@/components/predictions/list/remembered-predictions";
import { LinkButton } from "@/components/ui/button";
import { LivePage } from "@/components/ui/live-page";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { requireSession } from "@/lib/server/session";
import { loadHome, rowsOf } from "./home-data.ts";

export const metadata: Metadata = { title: "Home" };

const runsShown = 10;

export default async function HomePage() {
  await requireSession();
  const nowMs = Date.now();
  const data = await loadHome(nowMs);
  const { predictions, deliveries, deadLetters, expiring } = data;
  const summary = summarise({
    predictions: rowsOf(predictions),
    deliveries: rowsOf(deliveries),
    deadLetters: rowsOf(deadLetters),
  });
  const more = {
    runs: predictions.ok && predictions.data.has_more,
    deliveries: deliveries.ok && deliveries.data.has_more,
    deadLetters: deadLetters.ok && deadLetters.data.has_more,
  };
  const regions = data.regions.ok ? data.regions.data.data : [];
  const needs = needsOf({
    summary,
    moreDeadLetters: more.deadLetters,
    endpoints: rowsOf(data.endpoints),
    expiring,
    troubledRegions: regions.filter(({ status }) => status !== "healthy").map(({ id }) => id),
  });
  const offersRuns = predictions.ok || predictions.error.code !== "route_not_found";
  return (
    <>
      <PageHeader
        title="Home"
        description="What happened in the last 24 hours, and what needs you."
        actions={
          <>
            <LivePage drawnAtMs={nowMs} />
            <LinkButton variant="primary" href="/catalog">
              Run a model
            </LinkButton>
          </>
        }
      />
      <NeedsYou needs={needs} />
      <Figures figures={homeFigures(summary, more, { runs: predictions.ok, deliveries: deliveries.ok })} />
      <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
        <Section
          title={offersRuns ? "Newest runs" : "Runs of this browser"}
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
            <RememberedPredictions />
          )}
        </Section>
        <div className="min-w-0">
          {offersRuns && (
            <Section title="Removed soon">
              <ExpiringList expiring={expiringSoon(expiring, rowsOf(data.uploads), nowMs)} />
            </Section>
          )}
          <Section title="Deliveries that did not arrive">
            {deliveries.ok ? (
              <FailingDeliveries deliveries={[...rowsOf(deadLetters), ...rowsOf(deliveries)]} />
            ) : (
              <LoadFailure error={deliveries.error} />
            )}
          </Section>
        </div>
      </div>
    </>
  );
}
