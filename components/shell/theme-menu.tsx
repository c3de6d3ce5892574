"use client";

import { Check, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useEffect, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";

const choices = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "System", icon: Monitor },
] as const;

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  // The server does not know the theme: the icon appears with the browser's answer.
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const current = choices.find((choice) => mounted && choice.value === theme) ?? choices[2];

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
        onSelect: () => setTheme(value),
      }))}
    />
  );
}
