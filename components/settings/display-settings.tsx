"use client";

import { useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Switch } from "@/components/ui/form/switch";

export function DisplaySettings() {
  const t = useWords("settings");
  const shell = useWords("shell");
  const { preferences, change } = usePreferences();
  return (
    <div className="flex flex-col gap-5 rounded-panel border bg-panel p-4">
      <RadioGroup
        legend={shell("theme")}
        appearance="segments"
        value={preferences.theme}
        onChange={(theme) => change({ theme })}
        options={[
          { value: "light", label: shell("themeName", { theme: "light" }) },
          { value: "dark", label: shell("themeName", { theme: "dark" }) },
          { value: "system", label: shell("themeName", { theme: "system" }) },
        ]}
      />
      <RadioGroup
        legend={t("times")}
        appearance="segments"
        value={preferences.zone}
        onChange={(zone) => change({ zone })}
        options={[
          {
            value: "local",
            label: preferences.localZone ? t("localIn", { zone: preferences.localZone }) : t("local"),
          },
          { value: "utc", label: "UTC" },
        ]}
      />
      <RadioGroup
        legend={t("tables")}
        appearance="segments"
        value={preferences.density}
        onChange={(density) => change({ density })}
        options={[
          { value: "comfortable", label: t("comfortable") },
          { value: "compact", label: t("compact") },
        ]}
      />
      <Switch
        label={t("singleLetterKeyboardShortcuts")}
        checked={preferences.shortcuts}
        onChange={(event) => change({ shortcuts: event.target.checked })}
      />
    </div>
  );
}
