"use client";

import dynamic from "next/dynamic";

/** Needed only if the gateway has no list. */
export const LazyRememberedPredictions = dynamic(
  () => import("./remembered-predictions.tsx").then((module) => module.RememberedPredictions),
  { loading: () => null },
);
