import type { RoutableModel } from "#gateway/models/providers/file/expand-route.ts";
import type { Reading } from "../read-configuration.ts";

/** Every entry that a route may name, listed or not. */
export function routableModels({ entries }: Pick<Reading, "entries">): RoutableModel[] {
  return entries.map(({ id, regions, operations }) => ({ id, available_regions: regions, operations }));
}
