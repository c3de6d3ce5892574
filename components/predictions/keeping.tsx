"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import type { Prediction } from "#contract/prediction.ts";
import { Countdown } from "@/components/ui/time";
import { queryKeys } from "@/lib/query-keys";
import { outputFiles } from "./outputs.ts";
import { SaveEverything } from "./save-everything.tsx";

/** How long the files stay, with the way to keep them. */
export function Keeping({ prediction }: { prediction: Prediction }) {
  const client = useQueryClient();
  if (prediction.data_removed || !prediction.expires_at || outputFiles(prediction).length === 0) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border border-warn bg-warn-soft px-4 py-2">
      <Clock size={16} aria-hidden className="text-warn" />
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
      <SaveEverything prediction={prediction} />
    </div>
  );
}
