"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import type { Run } from "@/lib/browser/runs/run";
import { formatDuration } from "@/lib/format";

/** A run that has sent nothing back yet. */
export function Waiting({ run, onStop }: { run: Run; onStop: (() => void) | null }) {
  const [now, setNow] = useState(run.startedAtMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="flex min-h-56 flex-col items-center justify-center gap-3 rounded-panel border border-dashed p-6">
      <Progress value={null} label="Running" className="max-w-64" />
      <p className="tabular text-muted">{formatDuration(Math.max(0, now - run.startedAtMs))}</p>
      {onStop && (
        <Button size="sm" onClick={onStop}>
          Stop
        </Button>
      )}
    </div>
  );
}
