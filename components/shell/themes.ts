import type { Preferences } from "@/lib/preferences";

export const themes = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "system", label: "System", icon: "monitor" },
] as const;

/** A theme with its name and icon. */
export function themeOf(value: Preferences["theme"]): (typeof themes)[number] {
  return themes.find((theme) => theme.value === value) ?? themes[2];
}
