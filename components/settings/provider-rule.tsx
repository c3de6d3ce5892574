"use client";

import { useState } from "react";
import type { Account } from "#contract/account.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/switch";
import { useToast } from "@/components/ui/toast";
import { usePageRouter } from "@/components/ui/use-place";
import { settled } from "@/lib/browser/settled";
import type { Acting, GatewayFailure } from "@/lib/gateway/result";

interface ProviderRuleProps {
  /** The identity provider's name. */
  name: string;
  account: Account;
  /** Only owners may change it. */
  change: ((isProviderOnly: boolean) => Acting<Account>) | null;
}

/** Whether the account opens only to sessions that the identity provider began. */
export function ProviderRule({ name, account, change }: ProviderRuleProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const isOn = account.sign_in === "provider";
  const open = (next: boolean) => {
    setFailure(null);
    setAsking(next);
  };
  const confirm = async () => {
    if (!change) return;
    setBusy(true);
    setFailure(null);
    const result = await settled(change(!isOn));
    setBusy(false);
    if (!result.ok) return setFailure(result.error);
    setAsking(false);
    toast({ title: isOn ? "Passwords open this account again" : `Only ${name} opens this account` });
    router.refresh();
  };
  return (
    <div className="space-y-2">
      <Switch
        label={`Sign in only with ${name}`}
        checked={isOn}
        disabled={!change}
        onChange={() => open(true)}
      />
      <p className="text-table text-muted">
        {isOn
          ? "Sessions that began with a password or passkey do not open this account."
          : "Passwords and passkeys open this account too."}
        {!change && " Only owners can change this."}
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={open}
        title={isOn ? "Let passwords open this account?" : `Sign in only with ${name}?`}
        body={
          isOn
            ? "Members can sign in with their password or a passkey again."
            : `Members who are signed in another way lose this account until they sign in with ${name}. One owner must have signed in that way before. Keys go on working.`
        }
        confirmLabel={isOn ? "Let them" : `Only ${name}`}
        busy={busy}
        failure={failure}
        onConfirm={confirm}
      />
    </div>
  );
}
