"use client";

import { useQueryClient } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";

/** A button with a question that explains the effects of canceling. */
export function CancelButton({ prediction, size }: { prediction: Prediction; size?: "sm" }) {
  const t = useWords("predictions");
  const [asking, setAsking] = useState(false);
  const { toast } = useToast();
  const client = useQueryClient();
  const key = queryKeys.prediction(prediction.id);
  const [isBusy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    const answer = await answerOf(act("POST /predictions/{id}/cancel", { params: { id: prediction.id } }));
    setBusy(false);
    setAsking(false);
    if (answer.ok) {
      client.setQueryData(key, answer.data);
      toast({ title: t("predictionCanceled"), description: t("thereWillBeNoOutput") });
    } else if (answer.error.code === "prediction_already_terminal") {
      toast({ title: t("thePredictionHadAlreadyFinished"), description: t("seeItsStatusOnThis") });
    } else if (answer.error.code === "route_not_found") {
      toast({
        title: t("thisGatewayCannotCancelPredictions"),
        description: t("thePredictionKeepsRunningUntil"),
      });
    } else toast(await failureToast(answer.error));
    void client.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      <Permitted to="predictions:cancel">
        <Button
          size={size}
          aria-label={t("cancelPrediction")}
          icon={<CircleStop size={size ? 14 : 16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {size ? t("cancel") : t("cancelPrediction")}
        </Button>
      </Permitted>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("cancelThisPrediction")}
        body={
          <>
            <p>{t("itIsCanceledImmediatelyAny")}</p>
            <p className="mt-2">{t("theGatewayAsksTheProvider")}</p>
          </>
        }
        confirmLabel={t("cancelPrediction")}
        tone="bad"
        busy={isBusy}
        onConfirm={() => void cancel()}
      />
    </>
  );
}
