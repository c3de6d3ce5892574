"use client";

import type { OperatorModel } from "#contract/operator/models.ts";
import { useChange } from "@/components/operator/use-change";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/link";
import { formatCount } from "@/lib/format";
import { changeConfiguration } from "@/lib/gateway/act";
import { modelParams } from "@/lib/operator/model-row";

export function RemoveModelDialog({ model, onClose }: { model: OperatorModel; onClose: () => void }) {
  const router = usePageRouter();
  const { busy, change } = useChange();
  const { failure, attempt } = useSend();
  const { id, running_predictions: running } = model;
  const remove = async () => {
    await attempt(() =>
      change(
        changeConfiguration("DELETE /operator/models/{namespace}/{name}", { params: modelParams(id) }),
        ({ deleted }) => (deleted ? `${id} removed` : `${id} is being removed: it accepts no new runs`),
        () => router.push("/operator/models"),
      ),
    );
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${id}?`}
      body={
        running > 0
          ? `${formatCount(running, "prediction")} still running. The model accepts no new runs from now on and is removed when these predictions have ended.`
          : "Callers get an error from now on. Past predictions, logs and usage stay."
      }
      confirmLabel="Remove model"
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() => void remove()}
    />
  );
}
