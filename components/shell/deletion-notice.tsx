"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { AccountDeletion } from "#contract/accounts/account-deletion.ts";
import { useWords } from "#words";
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
  const t = useWords("shell");
  const { may } = useAccess();
  const { state, due_at: dueAt, requested_by: by, progress } = deletion;
  return (
    <section
      aria-label={t("deletion")}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-bad-soft px-4 py-2 tablet:px-6"
    >
      <Trash2 size={16} aria-hidden className="shrink-0 text-bad" />
      {state === "running" ? (
        <>
          <p className="min-w-0 flex-1">{t("beingDeleted", { percent: Math.floor(progress * 100) })}</p>
          <Progress value={progress} label={t("deletionProgress")} className="max-w-48" />
        </>
      ) : (
        <>
          <p className="min-w-0 flex-1 basis-48">
            {t.rich(
              "deletedAt",
              { by: by?.name ?? "none", may: may("account:manage") ? "cancel" : "wait" },
              { time: () => <Time key="time" value={dueAt} mode="absolute" /> },
            )}
          </p>
          {may("account:manage") && <KeepButton />}
        </>
      )}
    </section>
  );
}

function KeepButton() {
  const t = useWords("shell");
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const cancelDeletion = async () => {
    setBusy(true);
    const answer = await answerOf(act("DELETE /account/deletion"));
    setBusy(false);
    if (!answer.ok) return toast(await failureToast(answer.error, t("deletionNotCanceled")));
    toast({ title: t("accountStays") });
    router.refresh();
  };
  return (
    <Button size="sm" busy={busy} onClick={cancelDeletion}>
      {t("cancelDeletion")}
    </Button>
  );
}
