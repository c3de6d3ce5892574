"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { KeepRequest, Output } from "#contract/outputs.ts";
import { useSend } from "@/components/ui/form/use-send";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

/** Keeps outputs, changes their labels, and removes them. A removal can be undone. */
export function useLibraryChanges() {
  const { toast } = useToast();
  const client = useQueryClient();
  const { busy, failure, send } = useSend();
  const refresh = () => void client.invalidateQueries({ queryKey: ["outputs"] });

  /** Null if the gateway refused. `failure` then has the reason. */
  const keep = async (id: string, body: KeepRequest = {}): Promise<Output | null> => {
    const answer = await send(() => answerOf(act("POST /outputs/{id}/keep", { params: { id }, body })));
    refresh();
    return answer.ok ? answer.data : null;
  };

  const restore = async (id: string) => {
    const answer = await answerOf(act("POST /outputs/{id}/keep", { params: { id }, body: {} }));
    refresh();
    toast(
      answer.ok ? { title: "Restored to the library" } : await failureToast(answer.error, "Not restored"),
    );
  };

  const remove = async (id: string): Promise<boolean> => {
    const answer = await send(() => answerOf(act("DELETE /outputs/{id}/keep", { params: { id } })));
    refresh();
    const isGone = answer.ok || answer.error.code === "output_not_found";
    if (isGone)
      toast({
        title: "Removed from the library",
        action: { label: "Undo", onClick: () => void restore(id) },
      });
    return isGone;
  };

  return { busy, failure, keep, remove };
}
