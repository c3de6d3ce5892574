"use client";

import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";
import { MadeBy } from "@/components/team/made-by";
import { Checkbox } from "@/components/ui/checkbox";
import { Duration } from "@/components/ui/quantity";
import { RowControls, Table, Td, Th, Tr } from "@/components/ui/table";
import { Countdown, Time } from "@/components/ui/time";
import { useNow } from "@/components/ui/use-now";
import { formatDuration, shortenId } from "@/lib/format";
import { predictionLooks } from "@/lib/status/prediction";
import { mostCompared } from "../compare/compare-link.ts";
import { PredictionStatus } from "../prediction-status.tsx";
import { PredictionSubject } from "./prediction-subject.tsx";

interface PredictionTableProps {
  predictions: Prediction[];
  /** The list's filters, carried into each row's link. */
  search: string;
  /** Ticking rows to put them side by side; left out, rows have no boxes. */
  ticks?: { ids: readonly string[]; onTick: (id: string) => void };
}

/** Predictions as rows that are links. */
export function PredictionTable({ predictions, search, ticks }: PredictionTableProps) {
  return (
    <Table label="Predictions">
      <thead>
        <tr>
          {ticks && (
            <Th className="w-9">
              <span className="sr-only">Compare</span>
            </Th>
          )}
          <Th>Prediction</Th>
          <Th>Status</Th>
          <Th className="max-tablet:hidden">Model</Th>
          <Th className="max-desktop:hidden">Region</Th>
          <Th className="max-phone:hidden">Created</Th>
          <Th numeric className="max-phone:hidden">
            Duration
          </Th>
          <Th className="max-tablet:hidden">Files removed</Th>
        </tr>
      </thead>
      <tbody>
        {predictions.map((prediction) => (
          <Tr key={prediction.id} aria-selected={ticks ? ticks.ids.includes(prediction.id) : undefined}>
            {ticks && (
              <Td className="pr-0!">
                <RowControls>
                  <Checkbox
                    hideLabel
                    label={`Compare ${shortenId(prediction.id)}`}
                    checked={ticks.ids.includes(prediction.id)}
                    disabled={ticks.ids.length >= mostCompared && !ticks.ids.includes(prediction.id)}
                    onChange={() => ticks.onTick(prediction.id)}
                  />
                </RowControls>
              </Td>
            )}
            <Td className="w-full max-w-0 min-w-48">
              <PredictionSubject prediction={prediction} search={search} />
            </Td>
            <Td>
              <PredictionStatus status={prediction.status} progress={prediction.progress} />
              <span className="mt-0.5 block text-meta text-muted phone:hidden">
                <Time value={prediction.created_at} />
              </span>
            </Td>
            <Td className="max-tablet:hidden">
              <span className="block font-mono whitespace-nowrap">{prediction.model}</span>
              <span className="block text-meta whitespace-nowrap text-muted">{prediction.api_type}</span>
            </Td>
            <Td className="whitespace-nowrap max-desktop:hidden">{prediction.svc_region}</Td>
            <Td className="max-phone:hidden">
              <Time value={prediction.created_at} />
              <MadeBy maker={prediction.made_by} />
            </Td>
            <Td numeric className="max-phone:hidden">
              <Took prediction={prediction} />
            </Td>
            <Td className="whitespace-nowrap text-muted max-tablet:hidden">
              <Removal prediction={prediction} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function Took({ prediction }: { prediction: Prediction }) {
  // It is unknown whether a prediction with an unknown status still runs.
  const running = Object.hasOwn(predictionLooks, prediction.status) && !isTerminal(prediction.status);
  if (running) return <RunningFor since={prediction.created_at} />;
  const seconds = prediction.metrics.total_time;
  return <Duration ms={seconds === null ? null : seconds * 1000} />;
}

function RunningFor({ since }: { since: string }) {
  const nowMs = useNow(1000);
  const wholeSeconds = Math.max(0, Math.floor((nowMs - Date.parse(since)) / 1000));
  return (
    // The text itself: only what stands directly in it may differ from the server's.
    <span suppressHydrationWarning className="tabular whitespace-nowrap text-busy">
      {formatDuration(wholeSeconds * 1000)}
    </span>
  );
}

function Removal({ prediction }: { prediction: Prediction }) {
  if (prediction.data_removed) return <>removed</>;
  if (!prediction.expires_at) return <>–</>;
  return (
    <>
      in <Countdown until={prediction.expires_at} ended="a moment" />
    </>
  );
}
