"use client";

import { Columns2, PenLine } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import type { Run } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";
import { bracketed } from "@/messages/marks";
import { runTitle } from "../../../lib/schema-form/messages.ts";
import { usePlayground } from "../use-playground.ts";

const CompareDialog = dynamic(() => import("./compare-dialog.tsx").then((module) => module.CompareDialog), {
  ssr: false,
});

const maxCompared = 4;

/** The last runs of this operation in this browser. */
export function HistoryTab() {
  const t = useWords("playground");
  const { model, run, runs, show, editInput, clearRuns } = usePlayground();
  const [chosen, setChosen] = useState<string[]>([]);
  const [comparing, setComparing] = useState(false);
  if (runs.length === 0) return <p className="text-muted">{t("noRunsYetTheLast")}</p>;
  const compared = runs.filter(({ key }) => chosen.includes(key));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-40 text-meta text-muted">
          {t("savedInThisBrowserOnly", { max: maxCompared })}
        </p>
        <Button
          size="sm"
          icon={<Columns2 size={14} aria-hidden />}
          disabled={compared.length < 2}
          onClick={() => setComparing(true)}
        >
          {compared.length < 2 ? t("compare") : t("compareCount", { count: compared.length })}
        </Button>
        <Button size="sm" variant="ghost" onClick={clearRuns}>
          {t("clear")}
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
              choosable={isChosen || chosen.length < maxCompared}
              onChoose={() =>
                setChosen((keys) => (isChosen ? keys.filter((key) => key !== past.key) : [...keys, past.key]))
              }
              onShow={() => show(past)}
              onTweak={() => editInput(past)}
            />
          );
        })}
      </ul>
      {comparing && <CompareDialog model={model} runs={compared} onClose={() => setComparing(false)} />}
    </div>
  );
}

interface HistoryRowProps {
  run: Run;
  current: boolean;
  chosen: boolean;
  choosable: boolean;
  onChoose: () => void;
  onShow: () => void;
  onTweak: () => void;
}

function HistoryRow({ run, current, chosen, choosable, onChoose, onShow, onTweak }: HistoryRowProps) {
  const t = useWords("playground");
  const title = runTitle(run, t);
  const queued = run.output?.kind === "prediction";
  const state = t("runState", { state: queued ? "prediction" : run.state });
  return (
    <li className={`flex min-w-0 items-center gap-2 px-3 py-2 ${current ? "bg-sunken" : ""}`}>
      <input
        type="checkbox"
        checked={chosen}
        disabled={!choosable}
        onChange={onChoose}
        aria-label={t("compareTitle", { title })}
      />
      <button
        type="button"
        onClick={onShow}
        aria-current={current || undefined}
        className="min-w-0 flex-1 rounded-control text-left"
      >
        <span className="block truncate font-medium">{title}</span>
        <span className="block truncate text-meta text-muted">
          <Time value={new Date(run.startedAtMs).toISOString()} /> ·{" "}
          <span className={run.state === "failed" ? "text-bad" : undefined}>
            {run.failure ? bracketed(t.language, state, run.failure.code) : state}
          </span>
          {run.totalMs !== null && !queued && ` · ${formatDuration(run.totalMs, t.language)}`}
        </span>
      </button>
      {Object.keys(run.body).length > 0 && (
        <IconButton
          size="sm"
          label={t("editTheInputOfTitle", { title })}
          icon={<PenLine size={14} aria-hidden />}
          onClick={onTweak}
        />
      )}
    </li>
  );
}
