import type { Prediction } from "#contract/prediction.ts";
import { PredictionSubject } from "@/components/predictions/list/prediction-subject";
import { LinkButton } from "@/components/ui/button";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { Duration } from "@/components/ui/quantity";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import { predictionLook } from "@/lib/status/prediction";

/** The newest predictions, at a glance. */
export function RecentRuns({ predictions }: { predictions: readonly Prediction[] }) {
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
