"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleStop } from "lucide-react";
import { useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { failureToast } from "@/components/ui/failure-toast";
import { useToast } from "@/components/ui/toast";
import { failureBehind, fetchFromGateway } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";

/** Asks first and says what stopping can and cannot do. */
export function CancelButton({ prediction }: { prediction: Prediction }) {
  const [asking, setAsking] = useState(false);
  const { toast } = useToast();
  const client = useQueryClient();
  const key = queryKeys.prediction(prediction.id);
  const cancel = useMutation({
    mutationFn: () =>
      fetchFromGateway<Prediction>(`/predictions/${prediction.id}/cancel`, { method: "POST", body: {} }),
    onSuccess: (canceled) => {
      client.setQueryData(key, canceled);
      toast({ title: "Stopped", description: "Its status is “canceled”; no output will come." });
    },
    onError: (error) => {
      const failure = failureBehind(error);
      if (failure?.code === "prediction_already_terminal") {
        toast({ title: "It had ended already", description: "The page shows how." });
      } else if (failure?.code === "route_not_found") {
        toast({ title: "This gateway cannot stop a run", description: "The run goes on to its end." });
      } else if (failure) {
        toast(failureToast(failure));
      }
    },
    onSettled: () => {
      setAsking(false);
      void client.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <>
      <Button icon={<CircleStop size={16} aria-hidden />} onClick={() => setAsking(true)}>
        Stop run
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Stop this run?"
        body={
          <>
            <p>Its status becomes “canceled” at once, and outputs that arrive later are thrown away.</p>
            <p className="mt-2">
              The provider is told to stop, but may finish anyway: what it has done by then can still be
              counted as usage.
            </p>
          </>
        }
        confirmLabel="Stop run"
        tone="bad"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      />
    </>
  );
}
