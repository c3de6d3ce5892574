"use client";

import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { usePreferences } from "./preferences.tsx";
import { ShellIcon } from "./shell-icon.tsx";

const choices = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "system", label: "System", icon: "monitor" },
] as const;

export function ThemeMenu() {
  const { preferences, change } = usePreferences();
  const current = choices.find(({ value }) => value === preferences.theme) ?? choices[2];

  return (
    <Menu
      label="Theme"
      trigger={
        <IconButton
          label={`Theme: ${current.label.toLowerCase()}`}
          icon={<ShellIcon name={current.icon} size={16} />}
        />
      }
      items={choices.map(({ value, label, icon }) => ({
        label,
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
