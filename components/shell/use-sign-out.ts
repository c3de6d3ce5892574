"use client";

import { unstable_rethrow } from "next/navigation";
import { useTransition } from "react";
import { useToast } from "@/components/ui/toast";

/** Signs the visitor out, or says why it failed. `isLeaving` while it is in progress. */
export function useSignOut(signOut: () => Promise<void>): { isLeaving: boolean; leave: () => void } {
  const [isLeaving, startLeaving] = useTransition();
  const { toast } = useToast();
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      unstable_rethrow(error);
      toast({
        tone: "bad",
        title: "Could not sign out",
        description: "Check your connection and try again.",
      });
    }
  };
  return { isLeaving, leave: () => startLeaving(leave) };
}
