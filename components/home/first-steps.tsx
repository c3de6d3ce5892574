"use client";

import dynamic from "next/dynamic";
import type { FirstSteps as Done } from "#contract/summary.ts";
import { usePreferences } from "@/components/shell/preferences";

/** Most visits do not need it any more. */
const FirstStepsList = dynamic(
  () => import("./first-steps-list.tsx").then((module) => module.FirstStepsList),
  { loading: () => null },
);

/** What a new account does first. A step ticks itself once it is done, and the list goes when all are. */
export function FirstSteps({ done, command }: { done: Done; command: string }) {
  const { preferences, change } = usePreferences();
  if (!Object.values(done).includes(false) || !preferences.firstSteps) return null;
  return <FirstStepsList done={done} command={command} onHide={() => change({ firstSteps: false })} />;
}
