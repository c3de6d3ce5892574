"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { undoChange } from "@/lib/operator/actions";
import type { Changed } from "@/lib/operator/change";

/** Reads again what this page shows, also what was asked of providers: with a new key they answer otherwise. */
function useRenewal() {
  const router = usePageRouter();
  const queries = useQueryClient();
  return () => {
    router.refresh();
    void queries.invalidateQueries({ queryKey: ["operator"] });
  };
}

/** Undoes a change by its id, and says so. */
export function useUndo() {
  const renew = useRenewal();
  const { toast } = useToast();
  return async (changeId: string) => {
    const answer = await answerOf(undoChange(changeId));
    toast(answer.ok ? { title: "Undone" } : await failureToast(answer.error, "Not undone"));
    renew();
  };
}

/** Runs changes of the configuration: each says what changed with an Undo, and renews the page. */
export function useChange() {
  const renew = useRenewal();
  const { toast } = useToast();
  const undo = useUndo();
  const [busy, setBusy] = useState(false);

  /** Null when it is done, else why not: for a form, which shows it where it was typed. */
  const change = async <Data>(
    call: ActionResult<Changed<Data>>,
    said: string | ((data: Data) => string),
    done?: (data: Data) => void,
  ): Promise<GatewayFailure | null> => {
    setBusy(true);
    const answer = await answerOf(call);
    setBusy(false);
    if (!answer.ok) return answer.error;
    const { data, changeId } = answer.data;
    toast({
      title: typeof said === "string" ? said : said(data),
      ...(changeId && { action: { label: "Undo", onClick: () => void undo(changeId) } }),
    });
    renew();
    done?.(data);
    return null;
  };

  /** The same for a button: a failure becomes a message. */
  const press = async <Data>(
    call: ActionResult<Changed<Data>>,
    said: string | ((data: Data) => string),
    done?: (data: Data) => void,
  ): Promise<void> => {
    const failure = await change(call, said, done);
    if (failure) toast(await failureToast(failure));
  };

  return { busy, change, press };
}
