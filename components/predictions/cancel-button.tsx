"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { failureBehind, orThrow } from "@/lib/browser/fetch-from-gateway";
import { act } from "@/lib/gateway/act";
import { queryKeys } from "@/lib/query-keys";

/** A button with a question that explains the effects of canceling. */
export function CancelButton({ prediction, size }: { prediction: Prediction; size?: "sm" }) {
  const [asking, setAsking] = useState(false);
  const { toast } = useToast();
  const client = useQueryClient();
  const key = queryKeys.prediction(prediction.id);
  const cancel = useMutation({
    mutationFn: async () => {
      const of = { params: { id: prediction.id } };
      return orThrow(await answerOf(act("POST /predictions/{id}/cancel", of)));
    },
    onSuccess: (canceled) => {
      client.setQueryData(key, canceled);
      toast({ title: "Prediction canceled", description: "There will be no output." });
    },
    onError: (error) => {
      const failure = failureBehind(error);
      if (failure?.code === "prediction_already_terminal") {
        toast({ title: "The prediction had already finished", description: "See its status on this page." });
      } else if (failure?.code === "route_not_found") {
        toast({
          title: "This gateway cannot cancel predictions",
          description: "The prediction keeps running until it finishes.",
        });
      } else if (failure) {
        void failureToast(failure).then(toast);
      }
    },
    onSettled: () => {
      setAsking(false);
      void client.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <>
      <Permitted to="predictions:cancel">
        <Button
          size={size}
          aria-label="Cancel prediction"
          icon={<CircleStop size={size ? 14 : 16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {size ? "Cancel" : "Cancel prediction"}
        </Button>
      </Permitted>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this prediction?"
        body={
          <>
            <p>It is canceled immediately. Any output that arrives later is discarded.</p>
            <p className="mt-2">
              The gateway asks the provider to stop, but the provider may still finish. Work already done may
              be billed.
            </p>
          </>
        }
        confirmLabel="Cancel prediction"
        tone="bad"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      />
    </>
  );
}
