"use client";

import { Check, Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { usePreferences } from "./preferences.tsx";

const choices = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
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
          icon={<current.icon size={16} aria-hidden />}
        />
      }
      items={choices.map(({ value, label, icon: Icon }) => ({
        label,
        icon:
          value === current.value ? (
            <Check size={15} aria-hidden />
          ) : (
            <Icon size={15} aria-hidden className="text-muted" />
          ),
        onSelect: () => change({ theme: value }),
      }))}
    />
  );
}
