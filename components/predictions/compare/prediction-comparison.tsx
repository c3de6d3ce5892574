"use client";

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { ShareButton } from "@/components/shares/share-button";
import { Switch } from "@/components/ui/form/switch";
import { Table } from "@/components/ui/list/table";
import { Duration } from "@/components/ui/quantity";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { OutputPanel } from "../output-panel.tsx";
import { outputFiles } from "../outputs.ts";
import { pollInterval } from "../poll-interval.ts";
import { inputFacts, runFacts, timings } from "./compare-facts.ts";
import { CompareHead } from "./compare-head.tsx";
import { CompareCell, CompareGroup, CompareRow, FactRows } from "./compare-rows.tsx";

/** Below this width the columns scroll inside the table. */
const narrowest: Record<number, string> = {
  1: "min-w-96",
  2: "min-w-[640px]",
  3: "min-w-[880px]",
  4: "min-w-[1120px]",
};

/** Up to four predictions side by side, each kept fresh until it cannot change any more. */
export function PredictionComparison({ initial }: { initial: readonly Prediction[] }) {
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const predictions = useQueries({
    queries: initial.map((prediction) => ({
      queryKey: queryKeys.prediction(prediction.id),
      queryFn: () => fetchRoute("GET /predictions/{id}", { params: { id: prediction.id } }),
      initialData: prediction,
      refetchInterval: (query: { state: { data: Prediction | undefined } }) =>
        pollInterval(query.state.data, Date.now()),
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const ids = predictions.map(({ id }) => id);
  const inputs = inputFacts(predictions);
  const same = inputs.filter((fact) => !fact.differs).length;
  const shownInputs = onlyDifferences ? inputs.filter((fact) => fact.differs) : inputs;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <Switch
          label="Only different inputs"
          checked={onlyDifferences}
          onChange={(event) => setOnlyDifferences(event.target.checked)}
        />
        {predictions.length > 1 && (
          <ShareButton
            urls={predictions.flatMap((prediction) => outputFiles(prediction).map(({ url }) => url))}
            label="Share comparison"
          />
        )}
      </div>
      <Table label="Predictions side by side" className={`table-fixed ${narrowest[ids.length] ?? ""}`}>
        <colgroup>
          <col className="w-32 max-phone:w-24" />
        </colgroup>
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky left-0 z-2 w-32 border-b max-phone:w-24 bg-panel px-3 text-left align-top"
            >
              <span className="sr-only">Property</span>
            </th>
            {predictions.map((prediction) => (
              <CompareHead key={prediction.id} prediction={prediction} ids={ids} />
            ))}
          </tr>
        </thead>
        <tbody>
          <CompareRow name="Output">
            {predictions.map((prediction) => (
              <CompareCell key={prediction.id}>
                {prediction.error ? (
                  <p className="wrap-anywhere">
                    <code className="text-meta text-bad">{prediction.error.code}</code>
                    <br />
                    {prediction.error.message}
                  </p>
                ) : (
                  <OutputPanel prediction={prediction} />
                )}
              </CompareCell>
            ))}
          </CompareRow>
          <CompareGroup name="Input" columns={ids.length} />
          <FactRows facts={shownInputs} ids={ids} mono highlight />
          {onlyDifferences && same > 0 && (
            <CompareRow name="Same">
              <td colSpan={ids.length} className="row-padding px-3 text-muted">
                {inputs
                  .filter((fact) => !fact.differs)
                  .map((fact) => fact.name)
                  .join(", ")}
              </td>
            </CompareRow>
          )}
          <CompareGroup name="Time" columns={ids.length} />
          {timings(predictions).map(({ name, values, longest }) => (
            <CompareRow key={name} name={name}>
              {values.map((seconds, column) => (
                <CompareCell key={ids[column]}>
                  <TimingBar seconds={seconds} longest={longest} />
                </CompareCell>
              ))}
            </CompareRow>
          ))}
          <CompareGroup name="Run" columns={ids.length} />
          <FactRows facts={runFacts(predictions)} ids={ids} />
        </tbody>
      </Table>
    </>
  );
}

interface TimingBarProps {
  seconds: number | null;
  /** Seconds of a full bar. */
  longest: number;
}

/** A length of time with a bar on the comparison's common scale. */
function TimingBar({ seconds, longest }: TimingBarProps) {
  return (
    <div className="flex items-center gap-3">
      <span className="w-20 shrink-0">
        <Duration ms={seconds === null ? null : seconds * 1000} />
      </span>
      {seconds !== null && longest > 0 && (
        <svg aria-hidden className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-sunken">
          <rect width={`${(seconds / longest) * 100}%`} height="100%" className="fill-busy" />
        </svg>
      )}
    </div>
  );
}
