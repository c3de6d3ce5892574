"use client";

import type { Account } from "#contract/accounts/account.ts";
import { Time } from "@/components/ui/time";
import type { ActionResult } from "@/lib/gateway/result";
import { AccountRule } from "./account-rule.tsx";

interface SecondFactorRuleProps {
  account: Account;
  /** Only owners may change it. */
  change: ((isRequired: boolean) => ActionResult<Account>) | null;
}

/** Whether every member of the account needs a second factor, and from when. */
export function SecondFactorRule({ account, change }: SecondFactorRuleProps) {
  const from = account.second_factor_from;
  return (
    <AccountRule
      label="Require a second factor of every member"
      isOn={from !== null}
      meaning={
        from === null ? (
          "Members choose for themselves."
        ) : (
          <>
            Members without one must set one up from <Time value={from} mode="absolute" /> on.
          </>
        )
      }
      texts={
        from === null
          ? {
              title: "Require a second factor?",
              body: "Members see a notice for a week. After that, members with neither a passkey nor an authenticator app must set one up first. Keys keep working. Members who sign in with an identity provider follow the provider's rules instead.",
              confirm: "Require it in a week",
              done: "Members have a week",
            }
          : {
              title: "No longer require a second factor?",
              body: "Members without a second factor can sign in with only a password again.",
              confirm: "Stop requiring it",
              done: "No longer required",
            }
      }
      change={change}
    />
  );
}
