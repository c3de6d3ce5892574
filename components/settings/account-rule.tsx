"use client";

import { type ReactNode, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/form/switch";
import { useSend } from "@/components/ui/form/use-send";
import { usePageRouter } from "@/components/ui/page/use-place";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult } from "@/lib/gateway/result";

interface AccountRuleProps {
  label: string;
  isOn: boolean;
  /** Explains the current setting. */
  meaning: ReactNode;
  /** Texts of the question before the change and the message after it. */
  texts: { title: string; body: string; confirm: string; done: string };
  /** Only owners may change it. */
  change: ((isOn: boolean) => ActionResult<Account>) | null;
}

/** A rule of the account about signing in, changed after a confirmation. */
export function AccountRule({ label, isOn, meaning, texts, change }: AccountRuleProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const { busy, failure, show, send } = useSend();
  const open = (next: boolean) => {
    show(null);
    setAsking(next);
  };
  const confirm = async () => {
    if (!change) return;
    if (!(await send(() => answerOf(change(!isOn)))).ok) return;
    setAsking(false);
    toast({ title: texts.done });
    router.refresh();
  };
  return (
    <div className="space-y-2">
      <Switch label={label} checked={isOn} disabled={!change} onChange={() => open(true)} />
      <p className="text-table text-muted">
        {meaning}
        {!change && " Only owners can change this."}
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={open}
        title={texts.title}
        body={texts.body}
        confirmLabel={texts.confirm}
        busy={busy}
        failure={failure}
        onConfirm={confirm}
      />
    </div>
  );
}
