"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { Fragment } from "react";
import { useWords } from "#words";
import { Bell } from "@/components/notices/bell";
import { useAccess } from "@/components/team/access";
import { MenuOnDemand } from "@/components/ui/menu-on-demand";
import { Link, usePlace } from "@/components/ui/page/link";
import type { Unread } from "@/lib/notices/unread";
import type { SessionView } from "@/lib/person";
import { themeOf } from "@/lib/preferences";
import type { OwnAccount } from "./account-switcher.tsx";
import { crumbsOf } from "./crumbs.ts";
import { usePageName } from "./page-name.ts";
import { usePreferences } from "./preferences.tsx";
import { Mark, ShellIcon } from "./shell-icon.tsx";

/** Loaded late, because few people have several accounts. */
const AccountSwitcher = dynamic(
  () => import("./account-switcher.tsx").then((module) => module.AccountSwitcher),
  { loading: () => null },
);

const loadThemeMenu = () => import("./theme-menu.tsx").then((module) => module.ThemeMenu);
const loadAccountMenu = () => import("./account-menu.tsx").then((module) => module.AccountMenu);

interface TopBarProps {
  session: SessionView;
  /** Empty for people with one account. */
  accounts: readonly OwnAccount[];
  signOut: () => Promise<void>;
  unread: Unread | null;
  openPalette: () => void;
  openShortcuts: () => void;
}

export function TopBar({ session, accounts, signOut, unread, openPalette, openShortcuts }: TopBarProps) {
  const t = useWords("shell");
  const crumbs = crumbsOf(useWords("pages"), usePlace().path, useSearchParams().toString());
  const name = usePageName();
  const { role, may } = useAccess();
  const theme = themeOf(usePreferences().preferences.theme);
  const above = crumbs.slice(0, -1).findLast((crumb) => crumb.href !== null);
  return (
    <header className="sticky top-0 z-30 flex h-[52px] items-center gap-2 border-b bg-canvas px-4 tablet:px-6">
      <Link
        href="/"
        aria-label={t("home")}
        className={above ? "tablet:hidden max-phone:hidden" : "tablet:hidden"}
      >
        <Mark className="size-6" />
      </Link>
      {above?.href && (
        <Link
          href={above.href}
          aria-label={t("back", { page: above.label })}
          className="way-back control-height"
        >
          <ShellIcon name="chevron-left" size={18} />
          <span className="truncate">{above.label}</span>
        </Link>
      )}
      {accounts.length > 1 && <AccountSwitcher accounts={accounts} current={session.accountId} />}
      <nav aria-label={t("breadcrumb")} className="min-w-0 flex-1">
        <ol className="flex min-w-0 items-center gap-1 text-table text-muted">
          {crumbs.map((crumb, index) => (
            <Fragment key={crumb.label}>
              {index > 0 && (
                <li aria-hidden className="flex max-phone:hidden">
                  <ShellIcon name="chevron-right" size={13} />
                </li>
              )}
              <li
                className={
                  index < crumbs.length - 1 ? "truncate max-phone:hidden" : "truncate font-medium text-ink"
                }
              >
                {crumb.href && index < crumbs.length - 1 ? (
                  <Link href={crumb.href} className="hover:text-ink hover:underline">
                    {crumb.label}
                  </Link>
                ) : (
                  <span aria-current={index === crumbs.length - 1 ? "page" : undefined}>
                    {(index === crumbs.length - 1 && name) || crumb.label}
                  </span>
                )}
              </li>
            </Fragment>
          ))}
        </ol>
      </nav>
      <button
        type="button"
        onClick={openPalette}
        aria-keyshortcuts="Control+K Meta+K"
        className="control-height flex items-center gap-2 rounded-control border bg-panel px-2.5 text-table text-muted hover:border-strong hover:text-ink"
      >
        <ShellIcon name="search" size={15} />
        <span className="max-tablet:sr-only">{t("searchOrGoTo")}</span>
        <kbd aria-hidden className="rounded-[4px] bg-sunken px-1 text-meta max-tablet:hidden">
          Ctrl K
        </kbd>
      </button>
      {role !== null && may("notices:read") && <Bell initial={unread} />}
      <MenuOnDemand
        label={t("themeIs", { theme: theme.value })}
        icon={<ShellIcon name={theme.icon} size={16} />}
        load={loadThemeMenu}
        menu={{}}
      />
      <MenuOnDemand
        label={t("profileAndSettings")}
        icon={<ShellIcon name={session.kind === "key" ? "key-round" : "user-round"} size={16} />}
        load={loadAccountMenu}
        menu={{ session, signOut, openShortcuts }}
      />
    </header>
  );
}
