"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/use-place";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

/** Lets an account run without credit again. */
export function EndPrepayment({ accountId, name }: { accountId: string; name: string }) {
  const router = usePageRouter();
  const [isOpen, setOpen] = useState(false);
  const { busy, failure, send } = useSend();
  return (
    <>
      <Button onClick={() => setOpen(true)}>End prepayment</Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`End the prepayment of ${name}?`}
        body="Its credit no longer limits it, and the remaining credit expires. Its budgets stay."
        confirmLabel="End prepayment"
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={async () => {
          const end = () => act("DELETE /operator/accounts/{id}/credits", { params: { id: accountId } });
          if (!(await send(() => answerOf(end()))).ok) return;
          setOpen(false);
          router.refresh();
        }}
      />
    </>
  );
}
