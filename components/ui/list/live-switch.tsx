"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "../button.tsx";
import { Time } from "../time.tsx";

interface LiveSwitchProps {
  paused: boolean;
  onChange: (paused: boolean) => void;
  updatedAtMs: number;
}

/** Shows whether the list updates itself, and pauses or resumes it. */
export function LiveSwitch({ paused, onChange, updatedAtMs }: LiveSwitchProps) {
  return (
    <>
      {paused && (
        <span className="text-table text-muted">
          updated <Time value={new Date(updatedAtMs).toISOString()} />
        </span>
      )}
      <Button
        aria-pressed={paused}
        icon={paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
        onClick={() => onChange(!paused)}
      >
        {paused ? "Resume live" : "Pause live"}
      </Button>
    </>
  );
}
