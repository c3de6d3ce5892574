import type { RegionName, Server } from "#contract/catalog.ts";

/** Which upstreams run which operations, as the providers are configured now. */
export interface Serving {
  unmapped: "sandbox" | "none";
  /**
   * The regions in which an upstream runs an operation, by operation id; empty if it is mapped but no
   * upstream runs it.
   */
  regions: ReadonlyMap<string, readonly RegionName[]>;
}

export const allSandbox: Serving = { unmapped: "sandbox", regions: new Map() };

export function servedBy({ unmapped, regions }: Serving, operationId: string, region: RegionName): Server {
  const mapped = regions.get(operationId);
  if (!mapped) return unmapped;
  return mapped.includes(region) ? "provider" : "none";
}

/** A text that changes with the operations that the sandbox does not run; empty if it runs all of them. */
export function textOfServing({ unmapped, regions }: Serving): string {
  const mapped = [...regions].map(([id, served]) => `\n${id} ${served.join()}`).sort();
  return unmapped === "sandbox" ? mapped.join("") : `\n${unmapped}${mapped.join("")}`;
}
