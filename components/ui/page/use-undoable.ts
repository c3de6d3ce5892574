"use client";

import { useWords } from "#words";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { useToast } from "../toast.tsx";
import { failureToast } from "./failure-toast.ts";

type Undo = () => ActionResult<unknown>;

/**
 * Makes changes that can be undone. Each is reported with an Undo button. `renew` refreshes the page
 * afterwards.
 */
export function useUndoable(renew: () => void) {
  const t = useWords("ui");
  const { toast } = useToast();

  const undo = async (call: Undo) => {
    const answer = await answerOf(call());
    toast(answer.ok ? { title: t("undone") } : await failureToast(answer.error, t("notUndone")));
    renew();
  };

  /** The result or the failure, for a form that shows it beside its fields. */
  const change = async <Data>(
    call: ActionResult<Data>,
    titleOf: (data: Data) => string,
    undoOf: (data: Data) => Undo | null,
  ): Promise<{ data: Data } | { failure: GatewayFailure }> => {
    const answer = await answerOf(call);
    if (!answer.ok) return { failure: answer.error };
    const { data } = answer;
    const back = undoOf(data);
    toast({
      title: titleOf(data),
      ...(back && { action: { label: t("undo"), onClick: () => void undo(back) } }),
    });
    renew();
    return { data };
  };

  return { change, undo };
}
