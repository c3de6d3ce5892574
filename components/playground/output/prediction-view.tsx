"use client";

import { isTerminal } from "#contract/prediction-constants.ts";
import { FailurePanel } from "@/components/predictions/failure-panel";
import { Keeping } from "@/components/predictions/keeping";
import { OutputPanel } from "@/components/predictions/output-panel";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Progress } from "@/components/ui/progress";
import { predictionLook } from "@/lib/status/prediction";
import type { RunPrediction } from "./use-run-prediction";

/** The state of an async run beside its input. The prediction's page has all details. */
export function PredictionView({ prediction, failure, onRetry }: RunPrediction) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p role="status" className="sr-only">
        {prediction && spokenStatus(prediction.status)}
      </p>
      {failure && <ErrorPanel error={failure} onRetry={onRetry} />}
      {prediction && !isTerminal(prediction.status) && (
        <>
          <Progress
            value={prediction.progress === null ? null : prediction.progress / 100}
            label="Progress"
          />
          <p className="text-table text-muted">
            The output will appear here. You can leave this page and come back later.
          </p>
        </>
      )}
      {prediction?.error && <FailurePanel prediction={prediction} />}
      {prediction && isTerminal(prediction.status) && !prediction.error && (
        <OutputPanel prediction={prediction} />
      )}
      {prediction && <Keeping prediction={prediction} />}
    </div>
  );
}

function spokenStatus(status: string): string {
  const { terminal, label } = predictionLook(status);
  return terminal ? `Prediction finished: ${label}` : `Prediction status: ${label}`;
}
