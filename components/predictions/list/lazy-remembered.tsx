"use client";

import dynamic from "next/dynamic";

/** Loaded late, because it is needed only if the gateway cannot list predictions. */
export const LazyRememberedPredictions = dynamic(
  () => import("./remembered-predictions.tsx").then((module) => module.RememberedPredictions),
  { loading: () => null },
);
