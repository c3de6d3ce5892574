"use client";

import type { Account } from "#contract/accounts/account.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { AccountRule } from "./account-rule.tsx";

interface ProviderRuleProps {
  /** The identity provider's name. */
  name: string;
  account: Account;
  /** Only owners may change it. */
  change: ((isProviderOnly: boolean) => ActionResult<Account>) | null;
}

/** Whether only sessions started at the identity provider open the account. */
export function ProviderRule({ name, account, change }: ProviderRuleProps) {
  const isOn = account.sign_in === "provider";
  return (
    <AccountRule
      label={`Sign in only with ${name}`}
      isOn={isOn}
      meaning={
        isOn
          ? "Sessions that began with a password or passkey do not open this account."
          : "Passwords and passkeys open this account too."
      }
      texts={
        isOn
          ? {
              title: "Let passwords open this account?",
              body: "Members can sign in with their password or a passkey again.",
              confirm: "Allow passwords",
              done: "Passwords open this account again",
            }
          : {
              title: `Sign in only with ${name}?`,
              body: `Members who are signed in another way lose this account until they sign in with ${name}. One owner must have signed in that way before. Keys keep working.`,
              confirm: `Only ${name}`,
              done: `Only ${name} opens this account`,
            }
      }
      change={change}
    />
  );
}
