"use client";

import { Columns2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { CatalogModel } from "#contract/catalog.ts";
import { Button } from "@/components/ui/button";
import type { Run } from "@/lib/browser/runs/run";
import { HistoryRow } from "./history-row";

const CompareDialog = dynamic(() => import("./compare-dialog").then((module) => module.CompareDialog), {
  ssr: false,
});

const mostCompared = 4;

interface HistoryTabProps {
  model: CatalogModel;
  run: Run | null;
  runs: readonly Run[];
  onShow: (run: Run) => void;
  onTweak: (run: Run) => void;
  onClear: () => void;
}

/** The last runs of this operation in this browser. */
export function HistoryTab({ model, run, runs, onShow, onTweak, onClear }: HistoryTabProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [comparing, setComparing] = useState(false);
  if (runs.length === 0)
    return (
      <p className="text-muted">No runs yet. The last 20 runs of this operation are saved in this browser.</p>
    );
  const compared = runs.filter(({ key }) => chosen.includes(key));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-40 text-meta text-muted">
          Saved in this browser only. Select two to {mostCompared} to compare.
        </p>
        <Button
          size="sm"
          icon={<Columns2 size={14} aria-hidden />}
          disabled={compared.length < 2}
          onClick={() => setComparing(true)}
        >
          {compared.length < 2 ? "Compare" : `Compare ${compared.length}`}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClear}>
          Clear
        </Button>
      </div>
      <ul className="flex min-w-0 flex-col divide-y rounded-panel border">
        {runs.map((past) => {
          const isChosen = chosen.includes(past.key);
          return (
            <HistoryRow
              key={past.key}
              run={past}
              current={past.key === run?.key}
              chosen={isChosen}
              choosable={isChosen || chosen.length < mostCompared}
              onChoose={() =>
                setChosen((keys) => (isChosen ? keys.filter((key) => key !== past.key) : [...keys, past.key]))
              }
              onShow={() => onShow(past)}
              onTweak={() => onTweak(past)}
            />
          );
        })}
      </ul>
      {comparing && <CompareDialog model={model} runs={compared} onClose={() => setComparing(false)} />}
    </div>
  );
}
