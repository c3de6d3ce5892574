"use client";

import dynamic from "next/dynamic";
import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import type { FirstSteps as Done } from "#contract/summary.ts";
import { useWords } from "#words";
import { usePreferences } from "@/components/shell/preferences";
import { Switch } from "@/components/ui/form/switch";

/** Loaded late, because most accounts have completed these steps. */
const FirstStepsList = dynamic(
  () => import("./first-steps-list.tsx").then((module) => module.FirstStepsList),
  { loading: () => null },
);

/**
 * The first steps in a new account. A completed step is marked, and the list disappears when all are
 * completed.
 */
export function FirstSteps(props: { done: Done; command: string; folded?: boolean }) {
  const { done } = props;
  const { preferences, change } = usePreferences();
  if (!Object.values(done).includes(false) || !preferences.firstSteps) return null;
  return <FirstStepsList {...props} onHide={() => change({ firstSteps: false })} />;
}

/** Loaded late, because only operators need it, and only at the start. */
const StepsCard = dynamic(
  () => import("@/components/operator/first-steps/steps-card").then((module) => module.StepsCard),
  {
    loading: () => null,
  },
);

/** An operator's remaining first steps, until they are done or hidden. */
export function StepsOnHome({ steps }: { steps: OperatorSteps }) {
  const { preferences, change } = usePreferences();
  if (!Object.values(steps).includes(false) || !preferences.operatorSteps) return null;
  return <StepsCard steps={steps} onHide={() => change({ operatorSteps: false })} />;
}

/** Whether Home shows the remaining steps in this browser. */
export function ShowOnHome() {
  const t = useWords("home");
  const { preferences, change } = usePreferences();
  return (
    <Switch
      label={t("showOnHome")}
      checked={preferences.operatorSteps}
      onChange={(event) => change({ operatorSteps: event.target.checked })}
    />
  );
}
