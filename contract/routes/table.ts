import { predictionRoutes, summaryRoutes } from "./predictions.ts";
import type { Routes } from "./route.ts";
import { usageRoutes } from "./usage.ts";

/** All routes by their sections in the API reference, in its order. */
export const sections = {
  Predictions: predictionRoutes,
  Account: { ...summaryRoutes, ...usageRoutes },
} as const satisfies Record<string, Routes>;

export const routes = { ...sections.Predictions, ...sections.Account };
/** For the typed clients: import it as a type, so that no schema reaches the browser. */
export type RouteTable = typeof routes;
