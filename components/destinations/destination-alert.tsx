import { CirclePause, OctagonAlert } from "lucide-react";
import type { Destination } from "#contract/copies.ts";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";

/** Why nothing is copied to a destination just now, and how to fix it. */
export function DestinationAlert({ destination }: { destination: Destination }) {
  const { status, last_error: error, last_error_at: at, waiting_copies: waiting } = destination;
  if (status === "paused")
    return (
      <div className="mb-6 flex gap-3 rounded-panel border bg-sunken p-4">
        <CirclePause size={18} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <p className="text-base text-ink">
          This destination is paused.{" "}
          {waiting === 0
            ? "No files are waiting."
            : `${formatCount(waiting, "file waits", "files wait")}, no longer than they are stored here.`}
        </p>
      </div>
    );
  if (!error) return null;
  return (
    <div role="alert" className="mb-6 flex gap-3 rounded-panel border border-bad bg-bad-soft p-4">
      <OctagonAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 text-base text-ink wrap-anywhere">
        <p className="font-semibold">The latest attempt failed</p>
        <p>
          {error.message} <Time value={at} />
        </p>
      </div>
    </div>
  );
}
