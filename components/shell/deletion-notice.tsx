"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { AccountDeletion } from "#contract/accounts/account-deletion.ts";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

/**
 * Shown on every page of an account that will be deleted: first until when an owner can cancel it, then the
 * progress.
 */
export function DeletionNotice({ deletion }: { deletion: AccountDeletion }) {
  const { may } = useAccess();
  const { state, due_at: dueAt, requested_by: by, progress } = deletion;
  return (
    <section
      aria-label="Deletion of the account"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-bad-soft px-4 py-2 tablet:px-6"
    >
      <Trash2 size={16} aria-hidden className="shrink-0 text-bad" />
      {state === "running" ? (
        <>
          <p className="min-w-0 flex-1">
            This account is being deleted: {Math.floor(progress * 100)} % is done.
          </p>
          <Progress value={progress} label="Deletion progress" className="max-w-48" />
        </>
      ) : (
        <>
          <p className="min-w-0 flex-1 basis-48">
            {by ? `${by.name} scheduled this account for deletion` : "This account will be deleted"} on{" "}
            <Time value={dueAt} mode="absolute" />. No new run can start until then
            {may("account:manage") ? "." : "; an owner can cancel the deletion."}
          </p>
          {may("account:manage") && <KeepButton />}
        </>
      )}
    </section>
  );
}

function KeepButton() {
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const cancelDeletion = async () => {
    setBusy(true);
    const answer = await answerOf(act("DELETE /account/deletion"));
    setBusy(false);
    if (!answer.ok) return toast(await failureToast(answer.error, "The deletion was not canceled"));
    toast({ title: "The account stays" });
    router.refresh();
  };
  return (
    <Button size="sm" busy={busy} onClick={cancelDeletion}>
      Cancel deletion
    </Button>
  );
}
