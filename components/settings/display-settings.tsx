"use client";

import { usePreferences } from "@/components/shell/preferences";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Switch } from "@/components/ui/form/switch";

export function DisplaySettings() {
  const { preferences, change } = usePreferences();
  return (
    <div className="flex flex-col gap-5 rounded-panel border bg-panel p-4">
      <RadioGroup
        legend="Theme"
        appearance="segments"
        value={preferences.theme}
        onChange={(theme) => change({ theme })}
        options={[
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
          { value: "system", label: "System" },
        ]}
      />
      <RadioGroup
        legend="Times"
        appearance="segments"
        value={preferences.zone}
        onChange={(zone) => change({ zone })}
        options={[
          { value: "local", label: `Local${preferences.localZone ? ` (${preferences.localZone})` : ""}` },
          { value: "utc", label: "UTC" },
        ]}
      />
      <RadioGroup
        legend="Tables"
        appearance="segments"
        value={preferences.density}
        onChange={(density) => change({ density })}
        options={[
          { value: "comfortable", label: "Comfortable" },
          { value: "compact", label: "Compact" },
        ]}
      />
      <Switch
        label="Single-letter keyboard shortcuts"
        checked={preferences.shortcuts}
        onChange={(event) => change({ shortcuts: event.target.checked })}
      />
    </div>
  );
}
