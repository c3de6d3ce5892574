"use client";

import type { Account } from "#contract/account.ts";
import { Time } from "@/components/ui/time";
import type { Acting } from "@/lib/gateway/result";
import { AccountRule } from "./account-rule.tsx";

interface SecondFactorRuleProps {
  account: Account;
  /** Only owners may change it. */
  change: ((isRequired: boolean) => Acting<Account>) | null;
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
            Who has none can only set one up from <Time value={from} mode="absolute" /> on.
          </>
        )
      }
      words={
        from === null
          ? {
              title: "Require a second factor?",
              body: "Members see a notice for a week. After that, who has neither a passkey nor an authenticator app must set one up before anything else. Keys go on working. Who signs in with an identity provider proves it there, by its rules.",
              confirm: "Require it in a week",
              done: "Members have a week",
            }
          : {
              title: "No longer require a second factor?",
              body: "A password alone opens this account again for members who have no second factor.",
              confirm: "Stop requiring it",
              done: "No longer required",
            }
      }
      change={change}
    />
  );
}
