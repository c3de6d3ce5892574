import type { Routes } from "./route.ts";
import { usageRoutes } from "./usage.ts";

/** All routes by their sections in the API reference, in its order. */
export const sections = {
  Account: usageRoutes,
} as const satisfies Record<string, Routes>;

export const routes = { ...usageRoutes };
/** For the typed clients: import it as a type, so that no schema reaches the browser. */
export type RouteTable = typeof routes;
