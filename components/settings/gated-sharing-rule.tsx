"use client";

import type { Account } from "#contract/accounts/account.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { AccountRule } from "./account-rule.tsx";

interface GatedSharingRuleProps {
  account: Account;
  /** Only owners may change it. */
  change: ((isAllowed: boolean) => ActionResult<Account>) | null;
}

/** Whether outputs of gated models may be shared by link. */
export function GatedSharingRule({ account, change }: GatedSharingRuleProps) {
  const isOn = account.share_gated_outputs;
  return (
    <AccountRule
      label="Allow sharing outputs of gated models"
      isOn={isOn}
      meaning={
        isOn
          ? "Only signed-in people who have attested what the model requires can open such a link."
          : "Outputs of models that require attestations cannot be shared by link."
      }
      texts={
        isOn
          ? {
              title: "No longer allow it?",
              body: "Links to outputs of gated models stop working at once. If you allow it again, those that have not ended work again.",
              confirm: "Stop allowing it",
              done: "No longer allowed",
            }
          : {
              title: "Allow sharing outputs of gated models?",
              body: "Members can create links to outputs of models that require attestations. To open one, a person must be signed in at this gateway, in any account, and have made the same attestations.",
              confirm: "Allow it",
              done: "Allowed",
            }
      }
      change={change}
    />
  );
}
