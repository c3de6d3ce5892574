"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { AccountStateProps } from "./state-dialogs.tsx";

const SuspendDialog = dynamic(() => import("./state-dialogs.tsx").then((module) => module.SuspendDialog), {
  ssr: false,
});
const DeleteNowDialog = dynamic(
  () => import("./state-dialogs.tsx").then((module) => module.DeleteNowDialog),
  { ssr: false },
);

/** Suspends an account, lifts the suspension, or deletes the account at once. */
export function AccountState({
  isBeingDeleted,
  ...account
}: AccountStateProps & { isBeingDeleted: boolean }) {
  const t = useWords("operatorAccounts");
  const { accountId, suspension } = account;
  const [open, setOpen] = useState<"suspend" | "delete" | null>(null);
  const close = () => setOpen(null);
  if (isBeingDeleted)
    return (
      <Link href={`/operator/accounts/deleted/${accountId}`} className="text-accent hover:underline">
        {t("whatWasRemovedSoFar")}
      </Link>
    );
  return (
    <div className="flex flex-col items-start gap-3">
      {suspension && (
        <p className="rounded-control bg-warn-soft p-3 wrap-anywhere">
          {t.rich(
            suspension.by ? "suspendedBy" : "suspended",
            { name: suspension.by?.name ?? "", reason: suspension.reason },
            { time: () => <Time key="time" value={suspension.since} mode="absolute" /> },
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {suspension && <LiftSuspension {...account} />}
        <Button onClick={() => setOpen("suspend")}>
          {suspension ? t("changeTheReason") : t("suspendAccount")}
        </Button>
        <Button variant="danger" onClick={() => setOpen("delete")}>
          {t("deleteAtOnce")}
        </Button>
      </div>
      {open === "suspend" && <SuspendDialog {...account} onClose={close} />}
      {open === "delete" && <DeleteNowDialog {...account} onClose={close} />}
    </div>
  );
}

function LiftSuspension({ accountId, name }: AccountStateProps) {
  const t = useWords("operatorAccounts");
  const router = usePageRouter();
  const { toast } = useToast();
  const [isOpen, setOpen] = useState(false);
  const { busy, failure, send } = useSend();
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {t("liftSuspension")}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t("liftTheSuspensionOfName", { name })}
        body={t("itsKeysAndSessionsWork")}
        confirmLabel={t("liftSuspension")}
        busy={busy}
        failure={failure}
        onConfirm={async () => {
          const lift = () => act("DELETE /operator/accounts/{id}/suspension", { params: { id: accountId } });
          if (!(await send(() => answerOf(lift()))).ok) return;
          setOpen(false);
          toast({ title: t("theAccountWorksAgain") });
          router.refresh();
        }}
      />
    </>
  );
}
