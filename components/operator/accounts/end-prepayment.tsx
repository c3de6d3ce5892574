"use client";

import { useState } from "react";
import type { Deleted } from "#contract/list.ts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/use-place";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";

/** Lets an account run without credit again. */
export function EndPrepayment({ name, end }: { name: string; end: () => ActionResult<Deleted> }) {
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
          if (!(await send(() => answerOf(end()))).ok) return;
          setOpen(false);
          router.refresh();
        }}
      />
    </>
  );
}
