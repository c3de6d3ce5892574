import type { Metadata } from "next";
import { type List, pageLimit } from "#contract/list.ts";
import { ExpiringList } from "@/components/home/expiring-list";
import { FailingDeliveries } from "@/components/home/failing-deliveries";
import { Figures } from "@/components/home/figures";
import { RecentRuns } from "@/components/home/recent-runs";
import { dayMs, summarise } from "@/components/home/summary";
import { LinkButton } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/load-failure";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import type { GatewayResult } from "@/lib/gateway/result";
import { listPredictions } from "@/lib/server/gateway/predictions";
import { listUploads } from "@/lib/server/gateway/uploads";
import { listDeliveries } from "@/lib/server/gateway/webhooks";

export const metadata: Metadata = { title: "Home" };

const runsShown = 10;

export default async function HomePage() {
  const nowMs = Date.now();
  const since = { created_after: new Date(nowMs - dayMs).toISOString(), limit: pageLimit.max };
  const [predictions, deliveries, uploads] = await Promise.all([
    listPredictions(since),
    listDeliveries(since),
    listUploads({ limit: pageLimit.max }),
  ]);
  const rows = { predictions: rowsOf(predictions), deliveries: rowsOf(deliveries), uploads: rowsOf(uploads) };
  const summary = summarise(rows, nowMs);
  const moreRuns = predictions.ok && predictions.data.has_more;
  const moreDeliveries = deliveries.ok && deliveries.data.has_more;
  return (
    <>
      <PageHeader
        title="Home"
        description="What happened in the last 24 hours, and what needs you."
        actions={
          <LinkButton variant="primary" href="/catalog">
            Run a model
          </LinkButton>
        }
      />
      <Figures
        figures={[
          { label: "Running", count: summary.running, href: "/predictions?status=processing", tone: "busy" },
          {
            label: "Succeeded",
            count: summary.succeeded,
            href: "/predictions?status=succeeded",
            atLeast: moreRuns,
          },
          {
            label: "Failed",
            count: summary.failed,
            href: "/predictions?status=failed",
            tone: "bad",
            atLeast: moreRuns,
          },
          {
            label: "Delivered",
            count: summary.delivered,
            href: "/webhooks/deliveries?status=delivered",
            atLeast: moreDeliveries,
          },
          {
            label: "Deliveries retrying",
            count: summary.failing,
            href: "/webhooks/deliveries?status=failed",
            tone: "warn",
            atLeast: moreDeliveries,
          },
          {
            label: "Dead letters",
            count: summary.deadLetters,
            href: "/webhooks/deliveries?status=dead-letter",
            tone: "bad",
            atLeast: moreDeliveries,
          },
        ]}
      />
      <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
        <Section
          title="Newest runs"
          actions={
            <LinkButton size="sm" variant="ghost" href="/predictions">
              All predictions
            </LinkButton>
          }
        >
          {predictions.ok ? (
            <RecentRuns predictions={rows.predictions.slice(0, runsShown)} />
          ) : (
            <LoadFailure error={predictions.error} />
          )}
        </Section>
        <div className="min-w-0">
          <Section title="Removed soon">
            <ExpiringList expiring={summary.expiring} />
          </Section>
          <Section title="Deliveries that did not arrive">
            {deliveries.ok ? (
              <FailingDeliveries deliveries={rows.deliveries} />
            ) : (
              <LoadFailure error={deliveries.error} />
            )}
          </Section>
        </div>
      </div>
    </>
  );
}

function rowsOf<Row>(result: GatewayResult<List<Row>>): Row[] {
  return result.ok ? result.data.data : [];
}
