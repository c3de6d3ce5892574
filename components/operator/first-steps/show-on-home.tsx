"use client";

import { usePreferences } from "@/components/shell/preferences";
import { Switch } from "@/components/ui/form/switch";

/** Whether Home shows the remaining steps in this browser. */
export function ShowOnHome() {
  const { preferences, change } = usePreferences();
  return (
    <Switch
      label="Show on Home"
      checked={preferences.operatorSteps}
      onChange={(event) => change({ operatorSteps: event.target.checked })}
    />
  );
}
