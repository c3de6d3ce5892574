"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { Countdown, useNow } from "@/components/ui/time";
import { queryKeys } from "@/lib/query-keys";
import { outputFiles } from "./outputs.ts";
import { SaveEverything } from "./save-everything.tsx";

const minuteMs = 60_000;
/** The warning is shown when the files are removed sooner than this. */
const soonMs = 2 * 60 * minuteMs;

/** How long the files stay, with a button to keep them. */
export function Keeping({ prediction }: { prediction: Prediction }) {
  const client = useQueryClient();
  const nowMs = useNow(minuteMs);
  if (prediction.data_removed || !prediction.expires_at || outputFiles(prediction).length === 0) return null;
  const soon = Date.parse(prediction.expires_at) - nowMs < soonMs;
  return (
    <div
      suppressHydrationWarning
      className={`mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border px-4 py-2 ${soon ? "border-warn bg-warn-soft" : "bg-panel"}`}
    >
      <Clock size={16} aria-hidden className={soon ? "text-warn" : "text-muted"} />
      <p className="min-w-0 flex-1 basis-56">
        Input and outputs are removed in{" "}
        <strong>
          <Countdown
            until={prediction.expires_at}
            ended="a moment"
            onEnd={() => void client.invalidateQueries({ queryKey: queryKeys.prediction(prediction.id) })}
          />
        </strong>
        .
      </p>
      <SaveEverything predictions={[prediction]} />
    </div>
  );
}
