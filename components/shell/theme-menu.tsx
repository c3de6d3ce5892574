"use client";

import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { themeOf, themes } from "@/lib/preferences";
import { usePreferences } from "./preferences.tsx";
import { ShellIcon } from "./shell-icon.tsx";

export function ThemeMenu() {
  const t = useWords("shell");
  const { preferences, change } = usePreferences();
  const current = themeOf(preferences.theme);

  return (
    <Menu
      startsOpen
      label={t("theme")}
      trigger={
        <IconButton
          label={t("themeIs", { theme: current.value })}
          icon={<ShellIcon name={current.icon} size={16} />}
        />
      }
      items={themes.map(({ value, icon }) => ({
        label: t("themeName", { theme: value }),
        icon:
          value === current.value ? (
            <ShellIcon name="check" size={15} />
          ) : (
            <ShellIcon name={icon} size={15} className="text-muted" />
          ),
        onSelect: () => change({ theme: value }),
      }))}
    />
  );
}
