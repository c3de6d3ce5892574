"use client";

import dynamic from "next/dynamic";
import type { FirstSteps as Done } from "#contract/summary.ts";
import { usePreferences } from "@/components/shell/preferences";

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
