import type { ReactNode } from "react";
import type { EndpointHealth } from "#contract/webhook.ts";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatNumber } from "@/lib/format";
import { HealthSparkline } from "./health-sparkline.tsx";
import { SuccessRate } from "./success-rate.tsx";

/** How the endpoint fared in the last 24 hours. */
export function EndpointHealthSection({ health }: { health: EndpointHealth }) {
  return (
    <Section title="Health" description="Attempts in the last 24 hours, by hour.">
      <div className="rounded-panel border bg-panel p-4">
        <HealthSparkline hourly={health.hourly} size="large" />
        <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 tablet:grid-cols-5">
          <Figure name="Deliveries" value={formatNumber(health.deliveries_24h)} />
          <Figure
            name="Attempts accepted"
            value={
              <>
                <SuccessRate health={health} />{" "}
                <span className="text-meta text-muted">{attemptsWords(health)}</span>
              </>
            }
          />
          <Figure name="Consecutive failures" value={formatNumber(health.consecutive_failures)} />
          <Figure name="Last success" value={<Time value={health.last_success_at} />} />
          <Figure name="Last failure" value={<Time value={health.last_failure_at} />} />
        </dl>
      </div>
    </Section>
  );
}

/** `20 of 60`: a delivery may take several attempts. */
function attemptsWords({ hourly }: EndpointHealth): string {
  const accepted = hourly.reduce((sum, { delivered }) => sum + delivered, 0);
  const all = hourly.reduce((sum, { failed }) => sum + failed, accepted);
  return all === 0 ? "" : `${formatNumber(accepted)} of ${formatNumber(all)}`;
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-muted">{name}</dt>
      <dd className="tabular text-title">{value}</dd>
    </div>
  );
}
