"use client";

import { unstable_rethrow } from "next/navigation";
import { useTransition } from "react";
import { useWords } from "#words";
import { useToast } from "@/components/ui/toast";

/** Signs the visitor out, or says why it failed. `isLeaving` while it is in progress. */
export function useSignOut(signOut: () => Promise<void>): { isLeaving: boolean; leave: () => void } {
  const [isLeaving, startLeaving] = useTransition();
  const { toast } = useToast();
  const t = useWords("shell");
  const ui = useWords("ui");
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      unstable_rethrow(error);
      toast({
        tone: "bad",
        title: t("notSignedOut"),
        description: ui("checkConnection"),
      });
    }
  };
  return { isLeaving, leave: () => startLeaving(leave) };
}
