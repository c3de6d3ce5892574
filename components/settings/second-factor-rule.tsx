"use client";

import { useState } from "react";
import type { Account } from "#contract/account.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/switch";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { usePageRouter } from "@/components/ui/use-place";
import { settled } from "@/lib/browser/settled";
import type { Acting, GatewayFailure } from "@/lib/gateway/result";

interface SecondFactorRuleProps {
  account: Account;
  /** Only owners may change it. */
  change: ((isRequired: boolean) => Acting<Account>) | null;
}

/** Whether every member of the account needs a second factor, and from when. */
export function SecondFactorRule({ account, change }: SecondFactorRuleProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const from = account.second_factor_from;
  const open = (next: boolean) => {
    setFailure(null);
    setAsking(next);
  };
  const confirm = async () => {
    if (!change) return;
    setBusy(true);
    setFailure(null);
    const result = await settled(change(from === null));
    setBusy(false);
    if (!result.ok) return setFailure(result.error);
    setAsking(false);
    toast({ title: from === null ? "Members have a week" : "No longer required" });
    router.refresh();
  };
  return (
    <div className="space-y-2">
      <Switch
        label="Require a second factor of every member"
        checked={from !== null}
        disabled={!change}
        onChange={() => open(true)}
      />
      <p className="text-table text-muted">
        {from === null ? (
          "Members choose for themselves."
        ) : (
          <>
            Who has none can only set one up from <Time value={from} mode="absolute" /> on.
          </>
        )}
        {!change && " Only owners can change this."}
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={open}
        title={from === null ? "Require a second factor?" : "No longer require a second factor?"}
        body={
          from === null
            ? "Members see a notice for a week. After that, who has neither a passkey nor an authenticator app must set one up before anything else. Keys go on working."
            : "A password alone opens this account again for members who have no second factor."
        }
        confirmLabel={from === null ? "Require it in a week" : "Stop requiring it"}
        busy={busy}
        failure={failure}
        onConfirm={confirm}
      />
    </div>
  );
}
