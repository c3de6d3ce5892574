import type { AccountBudgets } from "#contract/money/budgets.ts";
import { useWords } from "#words";
import { MoneyUse } from "@/components/keys/money-use";
import { PrepaidBalance } from "@/components/settings/prepaid-balance";
import { Link } from "@/components/ui/page/link";

interface AccountMoneyProps {
  money: AccountBudgets;
  mayChange: boolean;
}

/** What the whole account has spent of its budgets, whatever the page filters, and when each starts again. */
export function AccountMoney({ money: { budgets, prepaid }, mayChange }: AccountMoneyProps) {
  const t = useWords("usage");
  const isUnlimited = budgets.length === 0 && prepaid === null;
  if (isUnlimited && !mayChange) return null;
  return (
    <section
      aria-label={t("accountBudgets")}
      className="min-w-0 flex-1 basis-64 rounded-panel border bg-panel px-4 py-3"
    >
      <p className="flex flex-wrap justify-between gap-x-3 text-meta text-muted">
        {t("accountBudgets")}
        {mayChange && (
          <Link href="/settings?do=budgets" className="text-accent underline underline-offset-2">
            {t(isUnlimited ? "setBudget" : "changeBudgets")}
          </Link>
        )}
      </p>
      {isUnlimited && <p className="text-table">{t("noBudget")}</p>}
      <div className="flex flex-wrap gap-x-6">
        {prepaid && <PrepaidBalance prepaid={prepaid} />}
        <MoneyUse budgets={budgets} />
      </div>
    </section>
  );
}
