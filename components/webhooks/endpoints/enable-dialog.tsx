"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
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
  const t = useWords("webhooks");
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={t("enableThisEndpoint", { endpoints })}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button variant="danger" busy={busy} onClick={() => onEnable("drop")}>
            {t("enableAndDrop")}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onEnable("send")}>
            {t("enableAndSend")}
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-base text-ink">
        <p>{t("deliveriesWaitFor", { waiting, endpoints })}</p>
        {failure && <ErrorPanel error={failure} />}
      </div>
    </Dialog>
  );
}
