"use client";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { formatCount } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";

interface EnableDialogProps {
  /** How many endpoints are enabled, and how many deliveries wait for them. */
  endpoints: number;
  waiting: number;
  busy: boolean;
  failure: GatewayFailure | null;
  onClose: () => void;
  onEnable: (waiting: "send" | "drop") => void;
}

/** Asks what to do with deliveries that waited while the endpoint was disabled. */
export function EnableDialog({ endpoints, waiting, busy, failure, onClose, onEnable }: EnableDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={endpoints === 1 ? "Enable this endpoint?" : `Enable ${formatCount(endpoints, "endpoint")}?`}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="danger" busy={busy} onClick={() => onEnable("drop")}>
            Enable and drop
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onEnable("send")}>
            Enable and send
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-base text-ink">
        <p>
          {formatCount(waiting, "delivery waits", "deliveries wait")} for{" "}
          {endpoints === 1 ? "this endpoint" : "these endpoints"}. Send them now, oldest first, or drop them.
          Dropped deliveries stay in the log as canceled and cannot be retried.
        </p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}
