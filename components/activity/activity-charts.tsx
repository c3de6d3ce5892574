import type { ActivityList } from "#contract/activity.ts";
import { Section } from "@/components/ui/page/section";
import { stepsOf, valuesOf } from "@/lib/activity/chart";
import { formatDuration, formatNumber } from "@/lib/format";
import { type Stretch, TimeChart } from "./time-chart.tsx";

interface ActivityChartsProps {
  runs: ActivityList;
  deliveries: ActivityList | null;
  onPick: (picked: Stretch & { of: "runs" | "deliveries" }) => void;
}

/** One chart per question. */
export function ActivityCharts({ runs, deliveries, onPick }: ActivityChartsProps) {
  const steps = stepsOf(runs);
  const { step } = runs;
  const pickHint = "shows the runs behind them";
  return (
    <div className="grid gap-x-8 desktop:grid-cols-2">
      <Section title="Runs">
        <TimeChart
          label="Runs over time"
          {...{ steps, step, pickHint }}
          kind="bars"
          format={formatNumber}
          onPick={(stretch) => onPick({ ...stretch, of: "runs" })}
          series={[
            { name: "succeeded", tone: "accent", values: valuesOf(runs, (row) => row.runs - row.errors, 0) },
            { name: "errors", tone: "bad", values: valuesOf(runs, ({ errors }) => errors, 0) },
          ]}
        />
      </Section>
      <Section title="Latency">
        <TimeChart
          label="Latency over time"
          {...{ steps, step, pickHint }}
          kind="lines"
          format={formatDuration}
          onPick={(stretch) => onPick({ ...stretch, of: "runs" })}
          series={[
            { name: "p50", tone: "good", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p50) },
            { name: "p95", tone: "accent", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p95) },
            { name: "p99", tone: "warn", values: valuesOf(runs, ({ latency_ms }) => latency_ms.p99) },
          ]}
        />
      </Section>
      <Section title="Time to first token" description="Of streamed answers.">
        <TimeChart
          label="Time to first token over time"
          {...{ steps, step }}
          kind="lines"
          format={formatDuration}
          series={[
            { name: "p50", tone: "good", values: valuesOf(runs, (row) => row.first_token_ms.p50) },
            { name: "p95", tone: "accent", values: valuesOf(runs, (row) => row.first_token_ms.p95) },
          ]}
        />
      </Section>
      <Section title="Output tokens per second" description="While the answer streamed.">
        <TimeChart
          label="Output tokens per second over time"
          {...{ steps, step }}
          kind="lines"
          format={formatNumber}
          series={[
            {
              name: "tokens a second",
              tone: "accent",
              values: valuesOf(runs, (row) => row.tokens_per_second),
            },
          ]}
        />
      </Section>
      <Section title="Time in the queue" description="How long predictions wait before they start.">
        <TimeChart
          label="Time in the queue over time"
          {...{ steps, step }}
          kind="lines"
          format={formatDuration}
          series={[
            { name: "p50", tone: "good", values: valuesOf(runs, (row) => row.queue_ms.p50) },
            { name: "p95", tone: "accent", values: valuesOf(runs, (row) => row.queue_ms.p95) },
          ]}
        />
      </Section>
      {deliveries && (
        <Section title="Webhook deliveries" description="Each attempt counts.">
          <TimeChart
            label="Webhook deliveries over time"
            steps={stepsOf(deliveries)}
            {...{ step, pickHint }}
            kind="bars"
            format={formatNumber}
            onPick={(stretch) => onPick({ ...stretch, of: "deliveries" })}
            series={[
              {
                name: "delivered",
                tone: "good",
                values: valuesOf(deliveries, (row) => row.runs - row.errors, 0),
              },
              { name: "failed", tone: "bad", values: valuesOf(deliveries, ({ errors }) => errors, 0) },
            ]}
          />
        </Section>
      )}
    </div>
  );
}
