"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { AccountBudgets as AccountMoney, Credit } from "#contract/money/budgets.ts";
import { useFormats, useWords } from "#words";
import { TaskCap } from "@/components/keys/budget-use";
import { MoneyUse } from "@/components/keys/money-use";
import { tokenRateTexts } from "@/components/keys/token-rate-texts";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { useAsked } from "@/components/ui/page/use-asked";
import { CreditHistory } from "./credit-history.tsx";
import { PrepaidBalance } from "./prepaid-balance.tsx";

const AccountBudgetsDialog = dynamic(
  () => import("./account-budgets-dialog.tsx").then((module) => module.AccountBudgetsDialog),
  { ssr: false },
);

interface AccountBudgetsProps {
  accountId: string;
  money: AccountMoney;
  credits: readonly Credit[];
}

/** The account's budgets, its spending, and the remaining credit. */
export function AccountBudgets({ accountId, money, credits }: AccountBudgetsProps) {
  const t = useWords("settings");
  const { list } = useFormats();
  const [isOpen, setOpen] = useState(false);
  const rates = tokenRateTexts(money, useWords("keys"));
  useAsked("budgets", useAccess().may("budgets:manage") && (() => setOpen(true)));
  return (
    <div className="flex flex-col gap-4 rounded-panel border bg-panel p-4">
      {money.prepaid && (
        <div>
          <PrepaidBalance prepaid={money.prepaid} />
          <CreditHistory credits={credits} />
        </div>
      )}
      {money.budgets.length > 0 ? (
        <div>
          <MoneyUse budgets={money.budgets} />
        </div>
      ) : (
        <p className="text-muted">{t("theAccountHasNoBudget")}</p>
      )}
      {money.task_budget && <TaskCap cap={money.task_budget} holder={accountId} />}
      {rates.length > 0 && (
        <p className="text-meta text-muted wrap-anywhere">{t("atMost", { limits: list(rates) })}</p>
      )}
      <div>
        <Permitted to="budgets:manage">
          <Button onClick={() => setOpen(true)}>{t("changeBudgets")}</Button>
        </Permitted>
      </div>
      {isOpen && <AccountBudgetsDialog money={money} onClose={() => setOpen(false)} />}
    </div>
  );
}
