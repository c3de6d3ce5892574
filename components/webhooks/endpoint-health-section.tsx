import type { ReactNode } from "react";
import type { EndpointHealth } from "#contract/webhook.ts";
import { Section } from "@/components/ui/section";
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
          <Figure name="Accepted" value={<SuccessRate health={health} />} />
          <Figure name="Deliveries" value={formatNumber(health.deliveries_24h)} />
          <Figure name="Consecutive failures" value={formatNumber(health.consecutive_failures)} />
          <Figure name="Last success" value={<Time value={health.last_success_at} />} />
          <Figure name="Last failure" value={<Time value={health.last_failure_at} />} />
        </dl>
      </div>
    </Section>
  );
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-muted">{name}</dt>
      <dd className="tabular text-title">{value}</dd>
    </div>
  );
}
