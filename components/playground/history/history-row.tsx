"use client";

import { PenLine } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import type { Run } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";
import { runTitle } from "./run-title";

interface HistoryRowProps {
  run: Run;
  current: boolean;
  chosen: boolean;
  choosable: boolean;
  onChoose: () => void;
  onShow: () => void;
  onTweak: () => void;
}

const words: Record<Run["state"], string> = {
  running: "running",
  succeeded: "succeeded",
  failed: "failed",
  stopped: "stopped",
};

export function HistoryRow({ run, current, chosen, choosable, onChoose, onShow, onTweak }: HistoryRowProps) {
  const title = runTitle(run);
  const queued = run.output?.kind === "prediction";
  return (
    <li className={`flex min-w-0 items-center gap-2 px-3 py-2 ${current ? "bg-sunken" : ""}`}>
      <input
        type="checkbox"
        checked={chosen}
        disabled={!choosable}
        onChange={onChoose}
        aria-label={`Compare ${title}`}
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
            {queued ? "prediction" : words[run.state]}
            {run.failure && ` (${run.failure.code})`}
          </span>
          {run.totalMs !== null && !queued && ` · ${formatDuration(run.totalMs)}`}
        </span>
      </button>
      {Object.keys(run.body).length > 0 && (
        <IconButton
          size="sm"
          label={`Edit the input of ${title}`}
          icon={<PenLine size={14} aria-hidden />}
          onClick={onTweak}
        />
      )}
    </li>
  );
}
