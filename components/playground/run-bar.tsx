"use client";

import { Play } from "lucide-react";
import { useEffect, useState } from "react";
import { Preflight } from "./preflight";
import { RunButton } from "./run-button";
import { usePlayground } from "./use-playground";

/** Always visible: the facts before a run, and the Run button. */
export function RunBar() {
  const { body, gate, running, uploading, start, stop } = usePlayground();
  const keys = useRunKeys();
  const ready = keys !== null;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-b-panel border-t bg-panel px-4 py-2.5 max-tablet:bottom-[calc(52px+env(safe-area-inset-bottom))]">
      <div className="min-w-0 flex-1 basis-52">
        <Preflight />
        <p role="status" className="text-table font-medium text-good">
          {gate.recorded && "The attestation is recorded. Choose Run."}
        </p>
      </div>
      <RunButton
        stop={stop}
        onRun={start}
        busy={running}
        // Disabled before hydration, when a click would be lost, and while the JSON is invalid, whose fault
        // is shown beside the button.
        disabled={uploading > 0 || !ready || body === null}
        icon={<Play size={14} aria-hidden />}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        title={keys ?? undefined}
        className={ready ? undefined : "disabled:opacity-100"}
      >
        {uploading > 0
          ? `Waiting for ${uploading === 1 ? "an upload" : `${uploading} uploads`}`
          : running
            ? "Running"
            : "Run"}
        <kbd aria-hidden className="ml-1 font-sans text-meta opacity-80 max-tablet:hidden">
          {keys ?? "Ctrl ↵"}
        </kbd>
      </RunButton>
    </div>
  );
}

/** The names of the modifier keys on this machine. Null before hydration. */
function useRunKeys(): string | null {
  const [keys, setKeys] = useState<string | null>(null);
  useEffect(() => setKeys(/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ ↵" : "Ctrl ↵"), []);
  return keys;
}
