"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { useEffect } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { inAccount } from "@/lib/paths";
import { usePreferences } from "./preferences.tsx";

/** An account of which the visitor is a member. */
export interface OwnAccount {
  id: string;
  name: string;
  role: string;
}

interface AccountSwitcherProps {
  accounts: readonly OwnAccount[];
  current: string;
}

/** For people with several accounts: the current account, and links to the others. */
export function AccountSwitcher({ accounts, current }: AccountSwitcherProps) {
  const t = useWords("shell");
  const { change } = usePreferences();
  // Remembers the account, so that an address without an account opens it next time.
  useEffect(() => change({ account: current }), [change, current]);
  const roleOf = ({ role }: OwnAccount) => t("role", { role });
  const name = accounts.find(({ id }) => id === current)?.name ?? t("account");
  return (
    <Menu
      label={t("accounts")}
      align="start"
      trigger={
        <Button variant="ghost" className="min-w-0 max-w-44 -ml-2" aria-label={t("switchAccount", { name })}>
          <span className="truncate font-medium">{name}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
        </Button>
      }
      items={accounts.map((account) => ({
        label: account.name,
        hint: account.id === current ? t("shownNow", { role: roleOf(account) }) : roleOf(account),
        icon: <Check size={15} aria-hidden className={account.id === current ? "" : "invisible"} />,
        // Loads the whole page, so that no data of one account stays in the page of another.
        onSelect: () => window.location.assign(inAccount(account.id, "/")),
      }))}
    />
  );
}
