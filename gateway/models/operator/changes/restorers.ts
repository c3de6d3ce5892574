import { byName } from "#contract/by-name.ts";
import { restoreImport } from "../file/restore.ts";
import { restoreModel } from "../models/restore.ts";
import { restoreProvider } from "../providers/restore.ts";
import { restoreRoutes } from "../routes/restore.ts";
import type { Restore } from "./undoing.ts";

/** By the first word of the change's action. */
const restorers = byName<Restore>({
  configuration: restoreImport,
  model: restoreModel,
  provider: restoreProvider,
  routes: restoreRoutes,
});

export function restorerOf(action: string): Restore | undefined {
  return restorers[action.split(".")[0] ?? ""];
}

export function isRestorable(action: string): boolean {
  return restorerOf(action) !== undefined;
}
