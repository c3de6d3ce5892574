"use client";

import { useRef } from "react";
import { operationPaths } from "#contract/catalog-constants.ts";
import type { Output } from "#contract/outputs.ts";
import { useAccess } from "@/components/team/access";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { callRoute, sendToGateway } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { failureOf } from "@/lib/gateway/result";
import { confirmationKey } from "@/lib/schema-form/draft";
import { playgroundHref, predictionHref } from "../links.ts";

/** Runs the prediction of a file again with the same input, one at a time, and reports the result. */
export function useRunAgain(): (file: Output) => Promise<void> {
  const { toast } = useToast();
  const { may } = useAccess();
  const router = usePageRouter();
  const isUnderWay = useRef(false);

  const run = async (id: string) => {
    const read = await callRoute("GET /predictions/{id}", { params: { id } });
    if (!read.ok) return toast(await failureToast(read.error, "Not run again"));
    const { model, api_type, input } = read.data;
    if (input === null)
      return toast({ tone: "warn", title: "Not run again", description: "Its input was removed." });
    if (confirmationKey in input)
      // Each of its runs needs a person's own confirmation.
      return router.push(playgroundHref(read.data));
    const sent = await sendToGateway(operationPaths[api_type], {
      method: "POST",
      body: { ...input, model },
      headers: { "idempotency-key": newRunKey() },
    });
    const failure = sent.ok
      ? sent.data.ok
        ? null
        : failureOf(sent.data.status, await sent.data.json().catch(() => null), sent.data.headers)
      : sent.error;
    if (failure) return toast(await failureToast(failure, "Not run again"));
    const { id: started } = sent.ok ? ((await sent.data.json().catch(() => ({}))) as { id?: string }) : {};
    toast({
      title: "Queued",
      description: `${model} runs again with the same input.`,
      ...(started && { action: { label: "Open", onClick: () => router.push(predictionHref(started)) } }),
    });
  };

  return async ({ prediction_id }) => {
    if (prediction_id === null)
      return toast({
        title: "Not run again",
        description: "It was made by a request that was answered at once: its input is not kept.",
      });
    if (!may("operations:run"))
      return toast({
        tone: "warn",
        title: "Not run again",
        description: "Your role cannot run operations.",
      });
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    await run(prediction_id).finally(() => {
      isUnderWay.current = false;
    });
  };
}
