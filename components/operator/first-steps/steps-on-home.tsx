"use client";

import dynamic from "next/dynamic";
import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import { usePreferences } from "@/components/shell/preferences";

/** Operators alone need it, and only in the beginning. */
const StepsCard = dynamic(() => import("./steps-card.tsx").then((module) => module.StepsCard), {
  loading: () => null,
});

/** What an operator has left to do with a new installation, until it is done or hidden. */
export function StepsOnHome({ steps }: { steps: OperatorSteps }) {
  const { preferences, change } = usePreferences();
  if (!Object.values(steps).includes(false) || !preferences.operatorSteps) return null;
  return <StepsCard steps={steps} onHide={() => change({ operatorSteps: false })} />;
}
