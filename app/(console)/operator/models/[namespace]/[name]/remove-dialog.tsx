"use client";

import type { OperatorModel } from "#contract/operator/models.ts";
import { useWords } from "#words";
import { useChange } from "@/components/operator/use-change";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/link";
import { changeConfiguration } from "@/lib/gateway/act";
import { modelParams } from "@/lib/operator/model-row";

export function RemoveModelDialog({ model, onClose }: { model: OperatorModel; onClose: () => void }) {
  const t = useWords("operatorModels");
  const router = usePageRouter();
  const { busy, change } = useChange();
  const { failure, attempt } = useSend();
  const { id, running_predictions: running } = model;
  const remove = async () => {
    await attempt(() =>
      change(
        changeConfiguration("DELETE /operator/models/{namespace}/{name}", { params: modelParams(id) }),
        ({ deleted }) => (deleted ? t("modelRemoved", { id }) : t("modelBeingRemoved", { id })),
        () => router.push("/operator/models"),
      ),
    );
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t("removeId2", { id })}
      body={running > 0 ? t("removeWhileRunning", { count: running }) : t("removeMeans")}
      confirmLabel={t("removeModel")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() => void remove()}
    />
  );
}
