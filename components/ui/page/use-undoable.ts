"use client";

import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { useToast } from "../toast.tsx";
import { failureToast } from "./failure-toast.ts";

type Undo = () => ActionResult<unknown>;

/** Runs changes that can be taken back: each says what was done, with an Undo. `renew` shows the page as it is then. */
export function useUndoable(renew: () => void) {
  const { toast } = useToast();

  const undo = async (call: Undo) => {
    const answer = await answerOf(call());
    toast(answer.ok ? { title: "Undone" } : await failureToast(answer.error, "Not undone"));
    renew();
  };

  /** What was changed, or why it was not: for a form, which shows it where it was typed. */
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
      ...(back && { action: { label: "Undo", onClick: () => void undo(back) } }),
    });
    renew();
    return { data };
  };

  return { change, undo };
}
